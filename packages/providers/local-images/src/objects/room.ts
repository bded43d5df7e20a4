import type { Spot } from './spot.ts'

/** The stretch of the picture that something already covers. */
export interface Taken {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The objects among which a thing has to find its place. */
export interface Crowd {
  /** The objects on the same ground; the thing joins them. */
  readonly taken: Taken[]
  /** The objects farther off, which should not be hidden. */
  readonly behind: readonly Taken[]
}

/** A spot before the colors of its object are known. */
export type Room = Omit<Spot, 'colors'>

/** How far the nearest taken stretch of ground is; below 0 where it overlaps. */
export function roomOnGround(taken: readonly Taken[], left: number, right: number): number {
  return Math.min(Infinity, ...taken.map((other) => Math.max(other.left - right, left - other.right)))
}

/** How far the nearest taken piece of sky is, sideways or up and down; below 0 where it overlaps. */
export function roomInAir(taken: readonly Taken[], wanted: Taken): number {
  const gaps = taken.map((other) => {
    const across = Math.max(other.left - wanted.right, wanted.left - other.right)
    const down = Math.max(other.top - wanted.bottom, wanted.top - other.bottom)
    return Math.max(across, down)
  })
  return gaps.length === 0 ? 0 : Math.min(...gaps)
}
