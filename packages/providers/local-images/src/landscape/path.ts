import { type Color, lit, mix } from '../pixels/color.ts'
import { cover } from '../pixels/picture.ts'
import { clamp, smoothstep } from '../pixels/scalar.ts'
import type { Painting } from './painting.ts'

/** A path that winds from the foot of the picture to the edge of the foreground, narrower as it goes. */
export function paintPath(painting: Painting, { edge, color }: { edge: (x: number) => number; color: Color }): void {
  const { picture, light, noise, random } = painting
  const start = picture.width * random.between(0.4, 0.6)
  const bend = picture.width * random.between(0.06, 0.12) * random.sign()
  const top = edge(picture.width / 2)
  const bright = lit(color, light.lit)
  const dark = lit(color, light.shade)
  for (let y = Math.floor(top); y < picture.height; y++) {
    const near = clamp((y - top) / (picture.height - top))
    const middle = start + bend * Math.sin(near * 3.6) * (1 - near * 0.35)
    const half = picture.unit * (0.012 + 0.15 * near ** 1.3)
    for (let x = Math.max(0, Math.floor(middle - half * 1.4)); x < Math.min(picture.width, middle + half * 1.4); x++) {
      const ragged = noise.fractal((x / picture.unit) * 26, (y / picture.unit) * 34, 3)
      const off = Math.abs(x - middle) / half + ragged * 0.3
      const alpha = smoothstep(1.06, 0.8, off) * smoothstep(0, 0.08, near) * 0.85
      if (alpha <= 0) continue
      const tone = clamp(0.6 + ragged * 0.8 + (light.side * (x - middle)) / half / 5)
      cover(picture, x, y, mix(dark, bright, tone), alpha)
    }
  }
}
