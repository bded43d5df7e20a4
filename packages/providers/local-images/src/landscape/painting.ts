import type { Color } from '../pixels/color.ts'
import type { Noise } from '../pixels/noise.ts'
import type { Picture } from '../pixels/picture.ts'
import type { Random } from '../pixels/random.ts'
import type { SceneName } from '../prompt/meaning.ts'
import type { Reading } from '../prompt/reading.ts'
import type { Light } from './light.ts'

/** Everything that a painter of a part of a scene may look at. */
export interface Painting {
  readonly picture: Picture
  readonly reading: Reading
  readonly scene: SceneName
  readonly light: Light
  readonly noise: Noise
  readonly random: Random
  /** Where the eye's own height meets the picture, in pixels from the top. */
  readonly horizon: number
  /** Octaves of noise on what is looked at closely. */
  readonly octaves: number
  /** How many strokes a shape gets, 1 in standard quality. */
  readonly detail: number
  /** Snow lies on the ground. */
  readonly snowy: boolean
}

/** A strip of ground, or of water, on which objects may stand. */
export interface Standing {
  /** The height of the ground at a column, in pixels from the top. */
  y(x: number): number
  /** The share of the width that is free, from left to right. */
  readonly from: number
  readonly to: number
  /** 1 for what is close by. */
  readonly scale: number
  /** How far the air has faded it, 0 to 1. */
  readonly fade: number
}

/** Where a scene lets objects stand; a place that it does not have is absent. */
export interface Stage {
  readonly near?: Standing
  readonly far?: Standing
  readonly water?: Standing
}

/** A scene in the order it is painted: what is behind the water, then what is before it. */
export interface Scene {
  /** Where the eye's height meets the picture, as a share of its height. */
  readonly horizon: number
  /** The sky is space, and fills the picture. */
  readonly airless?: boolean
  /** Paints all that may be mirrored, down to the waterline where there is one. */
  paintFar(painting: Painting, plan: ScenePlan): Stage
  /** Paints what lies before the water. */
  paintNear(painting: Painting, plan: ScenePlan): Stage
}

/** The requirements of the prompt's objects for the scene. */
export interface ScenePlan {
  /** The line from which water covers the ground, in pixels from the top; absent on dry land. */
  readonly waterline?: number
  /** Something will stand in the foreground. */
  readonly peopledNear: boolean
  /** Something will stand in the distance. */
  readonly peopledFar: boolean
  /** The water's own color. */
  readonly waterTint?: Color
}
