import { type Color, lit, mix } from '../pixels/color.ts'
import { clamp, smoothstep } from '../pixels/scalar.ts'
import type { Painting } from './painting.ts'

export interface BankOptions {
  /** The row at which the ground begins in a column. */
  readonly edge: (x: number) => number
  readonly color: Color
  readonly shadow: Color
  /** How fine its texture is: 1 grass, less for sand. */
  readonly texture: number
  /** How far the air has faded it. */
  readonly fade?: number
  /** The row at which to stop, where something else covers the rest. Default: the foot of the picture. */
  readonly until?: number
}

/** Paints a piece of foreground from its edge down to the foot of the picture. */
export function paintBank(
  painting: Painting,
  { edge, color, shadow, texture, fade = 0, until = Infinity }: BankOptions,
): void {
  const { picture, light, noise } = painting
  const { width, unit, pixels } = picture
  const height = Math.min(picture.height, Math.ceil(until))
  const bright = mix(lit(color, light.lit), light.haze, fade)
  const dark = mix(lit(shadow, mix(light.shade, light.lit, 0.25)), light.haze, fade)
  for (let x = 0; x < width; x++) {
    const start = edge(x)
    const rise = (edge(x + unit * 0.02) - edge(x - unit * 0.02)) / (unit * 0.04)
    for (let y = Math.max(0, Math.floor(start)); y < height; y++) {
      const deep = (y - start) / unit
      const fine = noise.fractal((x / unit) * 46, (y / unit) * 62, 3)
      const broad = noise.fractal((x / unit) * 3.1 + 7, (y / unit) * 7, 3)
      const rim = 0.2 * smoothstep(0.03, 0, deep)
      const share = clamp(0.66 + rim - deep * 0.9 + fine * 0.62 * texture + broad * 0.5 + rise * light.side * 0.55)
      const alpha = y < start ? clamp(1 - (start - y)) : 1
      const at = (y * width + x) * 3
      for (let channel = 0; channel < 3; channel++) {
        const value = dark[channel]! + (bright[channel]! - dark[channel]!) * share
        pixels[at + channel] = pixels[at + channel]! + (value - pixels[at + channel]!) * alpha
      }
    }
  }
}
