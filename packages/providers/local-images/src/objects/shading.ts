import type { Light } from '../landscape/light.ts'
import { type Color, css, hex, lit, mix, scaled } from '../pixels/color.ts'
import type { Pen } from '../pixels/picture.ts'
import type { CanvasFill, Tint } from './brush.ts'

/** The effect of light and distance on an object's colors. */
export interface Shading {
  /** The color as it is seen: `brightness` runs from the shaded side, 0, to the lit one, 1. */
  seen(tint: Tint, brightness: number): Color
  /** A fill that runs from the lit side to the shaded one between two columns. */
  across(tint: Tint, left: number, right: number, brightness?: number): CanvasFill
}

/** The shading of whatever stands so far off that the air has faded it by `fade`. */
export function shadingAt(pen: Pen, light: Light, fade: number): Shading {
  const seen: Shading['seen'] = (tint, brightness) =>
    mix(lit(toColor(tint), mix(light.shade, light.lit, brightness)), light.haze, fade)
  return {
    seen,
    across(tint, left, right, brightness = 0.6) {
      const gradient = pen.createLinearGradient(left, 0, right, 0)
      const bright = css(scaled(seen(tint, Math.min(1, brightness + 0.4)), 1.04))
      const dark = css(scaled(seen(tint, Math.max(0, brightness - 0.4)), 0.9))
      gradient.addColorStop(0, light.side < 0 ? bright : dark)
      gradient.addColorStop(1, light.side < 0 ? dark : bright)
      return gradient
    },
  }
}

export function toColor(tint: Tint): Color {
  return typeof tint === 'string' ? hex(tint) : tint
}
