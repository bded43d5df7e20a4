import { type Color, scaled } from '../pixels/color.ts'
import { cover } from '../pixels/picture.ts'
import { clamp } from '../pixels/scalar.ts'
import type { Painting } from './painting.ts'

/** Paints the moon's disc with its seas, lit a little more from one side. */
export function paintMoonDisc(
  { picture, noise, light }: Painting,
  { x, y, radius, color }: { x: number; y: number; radius: number; color: Color },
): void {
  for (let row = Math.max(0, Math.floor(y - radius - 1)); row < Math.min(picture.height, y + radius + 2); row++) {
    for (
      let column = Math.max(0, Math.floor(x - radius - 1));
      column < Math.min(picture.width, x + radius + 2);
      column++
    ) {
      const dx = (column - x) / radius
      const dy = (row - y) / radius
      const distance = Math.hypot(dx, dy)
      const alpha = clamp((1 - distance) * radius + 0.5)
      if (alpha === 0) continue
      const seas = clamp(0.5 + noise.fractal(dx * 1.6 + 9, dy * 1.6 + 4, 5) * 1.5)
      const round = Math.sqrt(Math.max(0, 1 - distance * distance))
      const brightness = 0.74 + 0.26 * round + dx * 0.05 * light.side
      cover(picture, column, row, scaled(color, brightness * (0.8 + 0.24 * seas)), alpha)
    }
  }
}
