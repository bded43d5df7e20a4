import { type Color, hex, mix } from '../pixels/color.ts'
import type { Trait } from '../prompt/meaning.ts'
import type { Painting } from './painting.ts'

/** A crop that a field is planted with. */
export interface Crop {
  /** The color of its rows from afar. */
  readonly rows: Color
  readonly ground: { readonly light: Color; readonly dark: Color }
  readonly flowers: readonly Color[]
  /** The color of a flower's middle. */
  readonly heart?: Color
  readonly wheat: boolean
}

const crops: readonly (readonly [
  Trait,
  { rows: string; light: string; dark: string; flowers: string[]; heart?: string; wheat?: boolean },
])[] = [
  [
    'lavender',
    { rows: '#8a68c8', light: '#7d8a5a', dark: '#4a5a3a', flowers: ['#8f6bd0', '#a98be0', '#7a55bd', '#b79ae8'] },
  ],
  [
    'sunflowers',
    {
      rows: '#e2b226',
      light: '#6f9440',
      dark: '#35582c',
      flowers: ['#f6c31c', '#ffd94a', '#f2ad17'],
      heart: '#4d2f16',
    },
  ],
  [
    'tulips',
    { rows: '#d8486a', light: '#6f9a48', dark: '#35602f', flowers: ['#e23b52', '#f7c52b', '#f08ab4', '#ffffff'] },
  ],
  [
    'poppies',
    {
      rows: '#c23a26',
      light: '#7d9a48',
      dark: '#43662f',
      flowers: ['#d8281f', '#f04a35', '#e2382a'],
      heart: '#241a1c',
    },
  ],
  ['wheat', { rows: '#dfb958', light: '#e6c368', dark: '#a5772f', flowers: [], wheat: true }],
  ['vineyard', { rows: '#5f8a3c', light: '#b59a62', dark: '#6f5a36', flowers: [] }],
]

/** The crop that the prompt asks for; a color that it bound to flowers wins over the crop's own. */
export function chooseCrop({ reading, snowy }: Painting): Crop | undefined {
  if (snowy) return undefined
  const found = crops.find(([trait]) => reading.traits.has(trait))?.[1]
  if (!found) return undefined
  const own = reading.parts.get('flowers')
  const flowers =
    own && found.flowers.length > 0
      ? own.flatMap((color) => [color, mix(color, hex('#ffffff'), 0.2)])
      : found.flowers.map(hex)
  return {
    rows: (found.flowers.length > 0 ? own?.[0] : undefined) ?? hex(found.rows),
    ground: { light: hex(found.light), dark: hex(found.dark) },
    flowers,
    ...(found.heart && { heart: hex(found.heart) }),
    wheat: found.wheat === true,
  }
}
