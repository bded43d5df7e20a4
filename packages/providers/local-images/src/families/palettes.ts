import { type Color, blend, hex, luminance, retoned, toOklab } from '../pixels/color.ts'
import type { Random } from '../pixels/random.ts'
import type { Mood } from '../prompt/meaning.ts'
import type { Reading } from '../prompt/reading.ts'
import type { Palette } from './family.ts'

type Row = readonly [
  name: string,
  moods: readonly Mood[],
  ground: string,
  ...inks: [string, string, string, ...string[]],
]

const palettes: readonly [Row, ...Row[]] = [
  ['harbor', ['calm'], '#f2ede1', '#14303f', '#2f6272', '#6da3a8', '#e6b17a', '#d9694a'],
  ['ember', ['dramatic'], '#14101a', '#5a1230', '#a4243b', '#e0572c', '#f5a13c', '#fbe3b0'],
  ['orchard', ['happy'], '#fbf5e6', '#2a4d3f', '#6a9a4c', '#f2b83a', '#ee7a3b', '#e2455a'],
  ['northern', ['dreamy', 'calm'], '#0c1530', '#1d3a6a', '#2f7a9a', '#52c0a8', '#b7f0c8', '#f4f6d8'],
  ['candy', ['happy', 'dreamy'], '#fff3f2', '#5a3f9a', '#a45ad0', '#f077a8', '#ffb38a', '#ffe08a'],
  ['slate', ['gloomy'], '#1b1f27', '#333b49', '#59657a', '#8d98a8', '#c3c6c4', '#a3584a'],
  ['bauhaus', ['happy', 'dramatic'], '#f1e8d6', '#1c2430', '#1f5aa8', '#d8362a', '#f2b11c', '#e8dcc2'],
  ['lagoon', ['calm', 'happy'], '#f4f8f2', '#0b3954', '#087e8b', '#3fc1c0', '#bfe8d9', '#ff7a5c'],
  ['dusk', ['dreamy', 'dramatic'], '#191233', '#3c2a6b', '#7a3f8f', '#c9588c', '#f58f7c', '#ffd9a8'],
  ['moss', ['calm', 'gloomy'], '#efeadb', '#26352a', '#4b6045', '#7d8f5a', '#b9b07a', '#a45a3a'],
  ['porcelain', ['calm'], '#f7f6f1', '#12265a', '#2a4fa0', '#6a8fd0', '#b7cbe8', '#d8a24a'],
  ['festival', ['happy', 'dramatic'], '#171430', '#e0325a', '#f78f1e', '#f7d02e', '#27b5a0', '#3a6be0'],
  ['rust', ['gloomy', 'dramatic'], '#efe3d0', '#2a1d1a', '#6d2f22', '#b5562f', '#d99a5a', '#4a6a72'],
  ['ink', ['dramatic', 'gloomy', 'calm'], '#f6f3ec', '#0f1114', '#2c3038', '#5b616c', '#a9aeb5', '#c8382e'],
]

const blackAndWhite: Row = ['black and white', [], '#f7f7f4', '#111214', '#3c3f44', '#8b8f94', '#d2d4d4']

/** The colors of a pattern: built around those that the prompt names, or chosen by its mood. */
export function paletteFor(reading: Reading, random: Random): Palette {
  const named = [
    ...reading.colors,
    ...[...reading.parts.values()].flat(),
    ...reading.subjects.flatMap(({ colors }) => colors),
  ]
  if (named.length > 0) return paletteAround(named, random)
  const { mood } = reading
  if (reading.traits.has('monochrome')) return paletteOf(blackAndWhite)
  const suited = mood ? palettes.filter(([, moods]) => moods.includes(mood)) : palettes
  return paletteOf(suited[random.index(suited.length)] ?? palettes[0])
}

function paletteOf([name, , ground, ...inks]: Row): Palette {
  const [first, second, third, ...rest] = inks
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
