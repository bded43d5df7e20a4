import { type Color, fromOklab, mix, toOklab } from './color.ts'
import { clamp, smoothstep } from './scalar.ts'

/** Where on the way from 0 to 1 a color stands. */
export type Stop = readonly [position: number, color: Color]

/** A gradient worked out once, so that a pixel costs one look-up. */
export interface Ramp {
  at(position: number): Color
}

const steps = 512

/** Runs through the stops, which stand in rising order, mixing as the eye does. */
export function createRamp(stops: readonly Stop[]): Ramp {
  const perceived = stops.map(([position, color]) => [position, toOklab(color)] as const)
  const table = Array.from({ length: steps }, (_, index) => colorAt(perceived, index / (steps - 1)))
  return { at: (position) => table[Math.round(clamp(position) * (steps - 1))]! }
}

/** The same colors at even distances. */
export function evenRamp(colors: readonly Color[]): Ramp {
  return createRamp(colors.map((color, index) => [index / Math.max(1, colors.length - 1), color]))
}

function colorAt(stops: readonly Stop[], position: number): Color {
  const above = stops.findIndex(([at]) => at >= position)
  const [highAt, high] = stops[above === -1 ? stops.length - 1 : above]!
  const [lowAt, low] = stops[Math.max(0, (above === -1 ? stops.length : above) - 1)]!
  return fromOklab(mix(low, high, smoothstep(lowAt, highAt === lowAt ? lowAt + 1 : highAt, position)))
}
