import type { Picture } from '../pixels/picture.ts'
import type { Terrain } from './terrain.ts'

/** The heights of a terrain along rays from the eye, one ray a pixel column, with steps that grow with the distance. */
export interface HeightFan {
  /** All steps of the first column, then all steps of the next. */
  readonly heights: Float32Array
  readonly distances: Float32Array
  readonly steps: number
  readonly width: number
}

/** One step of one ray; `slope` is how far right the ray runs for each unit away from the eye. */
export interface FanStep {
  readonly column: number
  readonly step: number
  readonly slope: number
}

export function heightFan({ width, unit }: Picture, terrain: Terrain, steps: number): HeightFan {
  const growth = (terrain.far / terrain.near) ** (1 / (steps - 1))
  const distances = Float32Array.from({ length: steps }, (_, step) => terrain.near * growth ** step)
  const heights = new Float32Array(width * steps)
  for (let column = 0; column < width; column++) {
    const slope = (column - width / 2) / unit
    for (let step = 0; step < steps; step++) {
      const z = distances[step]!
      heights[column * steps + step] = terrain.height(slope * z, z)
    }
  }
  return { heights, distances, steps, width }
}

/** Where a ray meets the ground, and whether the ground falls off on both sides of it. */
export interface Met {
  z: number
  height: number
  readonly crest: boolean
}

const crestTaps = 10

/**
 * A step's place and height; where it tops both neighbors, the place and height of the true crest between them. Without
 * this a ridge that runs away from the eye is met only here and there, and its skyline shows teeth.
 */
export function crestNear(terrain: Terrain, fan: HeightFan, { column, step, slope }: FanStep): Met {
  const { heights, distances, steps } = fan
  const at = column * steps + step
  const own = heights[at]!
  const crest = step > 0 && step < steps - 1 && heights[at - 1]! < own && heights[at + 1]! <= own
  const met: Met = { z: distances[step]!, height: own, crest }
  if (!crest) return met
  const from = distances[step - 1]!
  const span = distances[step + 1]! - from
  for (let tap = 1; tap < crestTaps; tap++) {
    const z = from + (span * tap) / crestTaps
    const height = terrain.height(slope * z, z)
    if (height <= met.height) continue
    met.z = z
    met.height = height
  }
  return met
}
