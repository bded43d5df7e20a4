import type { Color } from '../pixels/color.ts'

/** Where one object stands: its foot, or its middle where it flies, and its height in pixels. */
export interface Spot {
  readonly x: number
  readonly y: number
  readonly height: number
  readonly fade: number
  readonly colors: readonly Color[]
}
