import { type Color, hex, mix } from '../pixels/color.ts'
import type { Season } from '../prompt/meaning.ts'
import type { Painting } from './painting.ts'
import type { TreeKind, TreeLook } from './tree-look.ts'

const leafColors: Readonly<Record<Season, readonly [string, ...string[]]>> = {
  spring: ['#6f9a4c', '#8fbf5f', '#a9cf77', '#5b8a44'],
  summer: ['#3b6b34', '#4f8a3c', '#6da24a', '#2f5c33'],
  autumn: ['#b5541f', '#d9862a', '#e3a938', '#9c3d1c', '#c76a22'],
  winter: ['#6b7a72', '#8a978f', '#5c6b66'],
}

/** How the trees of the scene look: season, blossom, snow, and the color that the prompt bound to its leaves. */
export function foliage({ reading, snowy }: Painting, kind: TreeKind): TreeLook {
  const season = chooseSeason({ reading, snowy })
  const own = reading.parts.get('leaves')
  if (own && kind !== 'pine') return { kind, leaves: around(own), snow: snowy }
  if (kind === 'pine') {
    const needles = own
      ? around(own)
      : season === 'autumn'
        ? pines('#35502f', '#3f5a33', '#5a7040', '#6f7d45')
        : pines('#2a5038', '#2f5a3a', '#4a7a4e', '#628f58')
    return { kind, leaves: needles, snow: snowy }
  }
  if (reading.traits.has('blossom')) return { kind, leaves: tones(['#e58fb2', '#f2b3c9', '#f9d4de', '#d97aa3']) }
  if (kind === 'birch' && season === 'autumn')
    return { kind, leaves: tones(['#d99a26', '#ecc04a', '#f2d373', '#b97a1e']) }
  if (season === 'winter') return { kind: 'bare', leaves: tones(['#6b7a72']), snow: snowy }
  return { kind, leaves: tones(leafColors[season]) }
}

/** The season that the prompt names, or the one that its weather makes likely. */
export function chooseSeason({ reading, snowy }: Pick<Painting, 'reading' | 'snowy'>): Season {
  return reading.season ?? (snowy ? 'winter' : 'summer')
}

/** The grass of the season, in light and in shade. */
export function grassColors(painting: Painting): { light: Color; dark: Color } {
  const own = painting.reading.parts.get('ground')?.[0]
  if (own) return { light: mix(own, hex('#7a9a4c'), 0.3), dark: mix(own, hex('#10201a'), 0.6) }
  if (painting.snowy) return { light: hex('#eaf1f8'), dark: hex('#9fb2c9') }
  const [light, dark] = {
    spring: ['#86b44e', '#3f6f35'],
    summer: ['#6c9a44', '#2f5a30'],
    autumn: ['#b39248', '#6a5526'],
    winter: ['#9aa08a', '#5d6557'],
  }[chooseSeason(painting)]
  return { light: hex(light!), dark: hex(dark!) }
}

function around([first, second]: readonly Color[]): readonly [Color, ...Color[]] {
  const color = first ?? hex('#4f8a3c')
  return [color, mix(color, hex('#ffffff'), 0.22), mix(color, hex('#1a1410'), 0.28), second ?? color]
}

function tones([first, ...rest]: readonly [string, ...string[]]): readonly [Color, ...Color[]] {
  return [hex(first), ...rest.map(hex)]
}

function pines(...codes: [string, ...string[]]): readonly [Color, ...Color[]] {
  return tones(codes)
}
