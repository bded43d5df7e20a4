import type { Painting } from '../landscape/painting.ts'
import type { SceneName } from '../prompt/meaning.ts'
import type { Brush } from './brush.ts'
import type { Spot } from './spot.ts'

/**
 * Where an object belongs: `heaven` behind the clouds' distance, `air` before the far ground, `far` on the far bank,
 * `near` in the foreground, `water` afloat.
 */
export type Place = 'heaven' | 'air' | 'far' | 'near' | 'water'

/** The facts about an object in `data/objects.json`, besides its shapes. */
export interface ObjectFacts {
  /** In the singular, without an article: `hot-air balloon`. */
  readonly name: string
  /** Default: the name with an s. */
  readonly plural?: string
  /** The words and phrases that ask for it. */
  readonly words: readonly string[]
  /** Words that ask for several of it at once: `village` for houses. */
  readonly groups?: readonly string[]
  readonly place: Place
  /** Its height as a share of the picture's shorter side. */
  readonly size: number
  /** Its width as a share of its height, so that neighbors keep clear of it; default 1. */
  readonly breadth?: number
  /** Its width where it meets the ground, as a share of its height; default its breadth. */
  readonly foot?: number
  /** How many make a plural without a number; default 1. */
  readonly flock?: number
  /** It needs water at hand, though it is not afloat. */
  readonly byWater?: boolean
  /** Scenes that are full of it anyway: a plural without a number is theirs to paint. */
  readonly abounds?: readonly SceneName[]
  /** Scenes that the mere word speaks for, and how strongly. */
  readonly scenes?: readonly (readonly [SceneName, number])[]
}

/** Draws with shapes, into a box of height 1 whose foot is the origin (in the air: whose middle is). */
export type Draw = (brush: Brush) => void

/** Paints with light, straight into the picture. */
export type Paint = (painting: Painting, spot: Spot) => void

export type Drawable = ObjectFacts & ({ readonly draw: Draw } | { readonly paint: Paint })
