import type { Color } from '../pixels/color.ts'

export type TreeKind = 'pine' | 'broadleaf' | 'birch' | 'bare'

export interface TreeLook {
  readonly kind: TreeKind
  /** Leaves or needles; the first is the body, the rest are scattered in it. */
  readonly leaves: readonly [Color, ...Color[]]
  readonly trunk?: Color
  readonly snow?: boolean
}
