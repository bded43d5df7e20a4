import type { Color } from '../pixels/color.ts'

/** A stretch of country in its own units: `x` to the right, `z` away from the eye, heights over the plain. */
export interface Terrain {
  height(x: number, z: number): number
  /** The ground's own color, before light falls on it. */
  color(point: GroundPoint): Color
  /** How far off it begins and ends. */
  readonly near: number
  readonly far: number
  /** How high the eye stands over the plain. */
  readonly eye: number
  /** How much a unit of distance fades things; 0.1 is a clear day in the mountains. */
  readonly fading: number
  /** Strength of the fine grain that is worked into each pixel, and how fine it is. */
  readonly grain?: number
  readonly grainSize?: number
  /** Ground that lies lower than this is left out. */
  readonly floor?: number
}

export interface GroundPoint {
  readonly x: number
  readonly z: number
  readonly height: number
  /** 1 where the ground is level, 0 where it stands upright. */
  readonly level: number
}

/** Ground that has been painted, for whatever is to stand on it. */
export interface PaintedGround {
  /** The pixel row at which a point of the ground is seen. */
  rowOf(x: number, z: number): number
  /** The ground's `x` at a pixel column and a distance. */
  xAt(column: number, z: number): number
  /** The topmost row that the ground reaches in a column. */
  readonly skyline: Float32Array
}
