import type { Painting } from '../landscape/painting.ts'
import { cover } from '../pixels/picture.ts'
import { clamp } from '../pixels/scalar.ts'
import type { Drawable } from './drawable.ts'
import type { Spot } from './spot.ts'

/** Lets the ground rise raggedly over the foot of a thing, so that it stands in grass, sand or snow and not on it. */
export function bedIn({ picture, noise }: Painting, { breadth = 1, foot = breadth }: Drawable, spot: Spot): void {
  const { unit, pixels } = picture
  const half = spot.height * foot * 0.56
  const below = Math.round(spot.y + unit * 0.004)
  if (below >= picture.height || below < 0) return
  for (let x = Math.max(0, Math.floor(spot.x - half)); x < Math.min(picture.width, spot.x + half); x++) {
    const at = (below * picture.width + x) * 3
    const ground = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!] as const
    const rise = unit * 0.002 + spot.height * 0.018 * clamp(0.5 + noise.fractal((x / unit) * 70, spot.y, 2) * 1.6)
    for (let y = Math.max(0, Math.floor(spot.y - rise)); y < below; y++) {
      cover(picture, x, y, ground, clamp(y - (spot.y - rise)) * 0.92)
    }
  }
}
