/** Holds a number between two bounds. */
export function clamp(value: number, low = 0, high = 1): number {
  return value < low ? low : value > high ? high : value
}

/** The point at `share` of the way from one number to another. */
export function lerp(from: number, to: number, share: number): number {
  return from + (to - from) * share
}

/** Runs from 0 at `from` to 1 at `to`, level at both ends; `from` may be the larger. */
export function smoothstep(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from))
  return share * share * (3 - 2 * share)
}

/** A bell around `center` that falls to a third at `width`. */
export function bell(value: number, center: number, width: number): number {
  const distance = (value - center) / width
  return Math.exp(-distance * distance)
}
