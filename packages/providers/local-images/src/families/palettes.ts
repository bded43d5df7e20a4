import { type Color, blend, hex, luminance, retoned, toOklab } from '../pixels/color.ts'
import type { Random } from '../pixels/random.ts'
import type { Mood } from '../prompt/meaning.ts'
import type { Reading } from '../prompt/reading.ts'
import { readData } from '../read-data.ts'
import type { Palette } from './family.ts'

interface PaletteRow {
  readonly name: string
  readonly moods: readonly Mood[]
  readonly ground: string
  readonly inks: readonly [string, string, string, ...string[]]
}

const { colored, blackAndWhite } = readData('palettes') as {
  readonly colored: readonly [PaletteRow, ...PaletteRow[]]
  readonly blackAndWhite: PaletteRow
}

/** The colors of a pattern: built around those that the prompt names, or chosen by its mood. */
export function paletteFor(reading: Reading, random: Random): Palette {
  const named = [
    ...reading.colors,
    ...[...reading.parts.values()].flat(),
    ...reading.subjects.flatMap(({ colors }) => colors),
  ]
  if (named.length > 0) return paletteAround(named, random)
  const { mood } = reading
  if (reading.traits.has('monochrome')) return toPalette(blackAndWhite)
  const suited = mood ? colored.filter(({ moods }) => moods.includes(mood)) : colored
  return toPalette(suited[random.index(suited.length)] ?? colored[0])
}

function toPalette({ name, ground, inks: [first, second, third, ...rest] }: PaletteRow): Palette {
  return { name, ground: hex(ground), inks: [hex(first), hex(second), hex(third), ...rest.map(hex)] }
}

/** Fills up what the prompt named with lights and darks of the same hues, on the palest or the darkest of them. */
function paletteAround(named: readonly Color[], random: Random): Palette {
  const colors = named.slice(0, 5)
  const pale = colors.find((color) => luminance(color) > 0.85)
  const dark = colors.find((color) => luminance(color) < 0.1)
  const first = colors[0]!
  const ground = pale ?? dark ?? (random.chance(0.5) ? retoned(first, 0.96, 0.16) : retoned(first, 0.19, 0.42))
  const strong = colors.filter((color) => color !== pale && color !== dark)
  const hues = strong.length > 0 ? strong : [retoned(first, 0.5, 1)]
  const inks = hues.flatMap((color) => {
    const [lightness] = toOklab(color)
    return hues.length > 3
      ? [color]
      : [
          retoned(color, Math.max(0.24, lightness - 0.22), 0.9),
          color,
          retoned(color, Math.min(0.93, lightness + 0.2), 0.72),
        ]
  })
  if (hues.length > 1) inks.push(blend(hues[0]!, hues[1]!, 0.5))
  if (pale && dark) inks.push(dark)
  const [one, two, three, ...rest] = inks.toSorted((a, b) => luminance(a) - luminance(b))
  return { name: 'named', ground, inks: [one!, two ?? first, three ?? retoned(first, 0.8), ...rest] }
}
