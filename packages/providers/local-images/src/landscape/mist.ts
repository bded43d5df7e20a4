import type { Color } from '../pixels/color.ts'
import { cover } from '../pixels/picture.ts'
import { clamp } from '../pixels/scalar.ts'
import type { Painting } from './painting.ts'

/** Lays a bank of mist between two rows, thickest in the middle. */
export function paintMist(painting: Painting, from: number, to: number, color: Color, thickness: number): void {
  const { picture, noise } = painting
  const top = Math.max(0, Math.floor(from))
  const bottom = Math.min(picture.height, Math.ceil(to))
  for (let y = top; y < bottom; y++) {
    const body = Math.sin(Math.PI * clamp((y - from) / (to - from))) * thickness
    for (let x = 0; x < picture.width; x += 2) {
      const wisp = 0.62 + 0.8 * noise.fractal((x / picture.unit) * 2.2 + 5, (y / picture.unit) * 6, 2)
      const alpha = clamp(body * wisp)
      if (alpha <= 0.004) continue
      cover(picture, x, y, color, alpha)
      if (x + 1 < picture.width) cover(picture, x + 1, y, color, alpha)
    }
  }
}
