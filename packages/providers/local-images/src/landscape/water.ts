import { type Color, lit } from '../pixels/color.ts'
import { clamp, lerp, smoothstep } from '../pixels/scalar.ts'
import type { Painting } from './painting.ts'
import { sunPlace } from './sky.ts'

export interface WaterOptions {
  /** The row at which the water begins. */
  readonly top: number
  /** 0 is a mirror, 1 a breeze, 2 a storm. */
  readonly roughness: number
  readonly tint: Color
  /** How fast the mirror gives way to the water's own color, 0 to 1. */
  readonly depth: number
}

/** Paints water from a row down to the foot of the picture: what stands above it, mirrored in ripples, and glitter. */
export function paintWater(painting: Painting, { top, roughness, tint, depth }: WaterOptions): void {
  const { picture, light, noise, octaves } = painting
  const { width, height, unit, pixels } = picture
  const above = pixels.slice(0, top * width * 3)
  const sun = sunPlace(painting)
  const ownColor = lit(tint, light.night ? light.lit : light.weather === 'storm' ? light.shade : light.lit)
  const glitter = light.sunStrength * (light.night ? 0.8 : light.low ? 1.35 : 0.5)
  for (let y = top; y < height; y++) {
    const down = (y - top) / (height - top)
    const distance = 1 / (down * 1.15 + 0.035)
    const fall = y - top
    for (let x = 0; x < width; x++) {
      const across = ((x - width / 2) / unit) * distance * 0.55
      const away = distance * 1.35
      const swell = noise.fractal(across * 3 + 11, away * 4.2, octaves - 1)
      const ripple = noise.at(across * 9 + 5, away * 13)
      const slope = (swell * 0.8 + ripple * 0.22) * roughness
      const shiftY = Math.abs(slope) * unit * 0.05 * (0.45 + down * 2) - slope * unit * 0.09 * down
      const row = clamp(Math.round(top - 1 - fall * 0.94 - shiftY), 0, top - 1)
      const column = clamp(Math.round(x + slope * unit * 0.05 * (0.5 + down * 0.6)), 0, width - 1)
      const from = (row * width + column) * 3
      const mirrored = clamp(0.92 - depth * down - 0.5 * Math.max(0, slope), 0.08, 1)
      const crest = smoothstep(0.18, 0.6, slope) * 0.16 * Math.min(roughness, 1.4)
      const band = (x - sun.x) / (unit * (0.02 + 0.16 * down))
      const spark = glitter * Math.exp(-band * band) * clamp(0.5 + ripple * 0.75 + swell * 0.55) ** (light.low ? 5 : 7)
      const at = (y * width + x) * 3
      for (let channel = 0; channel < 3; channel++) {
        const body = lerp(ownColor[channel]!, above[from + channel]!, mirrored)
        pixels[at + channel] =
          body + light.haze[channel]! * crest + light.sunColor[channel]! * (1 - channel * 0.18) * spark
      }
    }
  }
}
