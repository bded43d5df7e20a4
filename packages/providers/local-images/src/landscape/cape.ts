import { type Color, lit, mix } from '../pixels/color.ts'
import { clamp, smoothstep } from '../pixels/scalar.ts'
import type { Painting } from './painting.ts'

export interface Cape {
  /** The row of the land's top in a column; below the foot there is none. */
  readonly top: (x: number) => number
  /** The row at which it meets the water. */
  readonly foot: number
  readonly green: Color
  readonly rock: Color
  readonly fade: number
}

/** Paints land that falls steeply to the water: grass above, rock below, darker toward the foot. */
export function paintCape(painting: Painting, { top, foot, green, rock, fade }: Cape): void {
  const { picture, light, noise } = painting
  const { width, unit, pixels } = picture
  for (let x = 0; x < width; x++) {
    const start = top(x)
    if (start >= foot) continue
    const thick = Math.max(1, foot - start)
    const rise = (top(x + unit * 0.012) - top(x - unit * 0.012)) / (unit * 0.024)
    for (let y = Math.max(0, Math.floor(start)); y < foot; y++) {
      const down = (y - start) / unit
      const grain = noise.fractal((x / unit) * 40, (y / unit) * 55, 3)
      const crag = noise.ridged((x / unit) * 16 + 3, (y / unit) * 9, 3)
      const cliff =
        smoothstep(0.15, 0.75, (y - start) / thick + grain * 0.5) * smoothstep(unit * 0.012, unit * 0.05, thick)
      const own = mix(green, rock, cliff)
      const received = clamp(0.55 + rise * light.side * 0.8 + grain * 0.5 + (crag - 0.5) * cliff * 1.1 - down * 0.8)
      const color = mix(lit(own, mix(light.shade, light.lit, received)), light.haze, fade)
      const alpha = y < start ? clamp(1 - (start - y)) : 1
      const at = (y * width + x) * 3
      for (let channel = 0; channel < 3; channel++) {
        pixels[at + channel] = pixels[at + channel]! + (color[channel]! - pixels[at + channel]!) * alpha
      }
    }
  }
}
