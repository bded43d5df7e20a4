import type { Color } from '../pixels/color.ts'
import type { Random } from '../pixels/random.ts'
import type { TreeLook } from './tree-look.ts'

export interface TreeStroke extends TreeLook {
  /** Pixels, which decide how many strokes are worth drawing. */
  readonly height: number
  readonly random: Random
  readonly shaded: (color: Color, brightness: number) => Color
  readonly side: number
  readonly detail: number
}
