import { hex, mix } from '../pixels/color.ts'
import { type Picture, shine } from '../pixels/picture.ts'
import type { Random } from '../pixels/random.ts'
import { clamp } from '../pixels/scalar.ts'

const blueStar = hex('#bcd0ff')
const warmStar = hex('#fff0d8')

/** Strews stars from the top down to `bottom`; they thin out toward it unless the sky is space. */
export function paintStars(
  picture: Picture,
  random: Random,
  options: { count: number; bottom: number; airless: boolean },
) {
  // The size of the sky counts, not its pixels: a finer picture has no more stars.
  const count = Math.round((options.count * picture.width * picture.height) / (picture.unit * picture.unit))
  for (let star = 0; star < count; star++) {
    const x = random.next() * picture.width
    const y = random.next() * options.bottom
    const size = random.next() ** 7
    const color = mix(blueStar, warmStar, random.next())
    const seen = options.airless ? 1 : clamp(1.15 - y / options.bottom)
    const radius = (picture.unit / 1024) * (0.55 + size * 2.1)
    dot(picture, x, y, radius, color, (0.3 + size) * seen)
    if (size > 0.55) paintHalo(picture, x, y, radius * 4.5, color, 0.35 * size * seen)
    if (size > 0.8 && options.airless) spikes(picture, x, y, picture.unit * 0.016 * size, color)
  }
}

/** Adds light that fades from a point to nothing at `radius`. */
export function paintHalo(
  picture: Picture,
  centerX: number,
  centerY: number,
  radius: number,
  color: readonly [number, number, number],
  strength: number,
): void {
  const bottom = Math.min(picture.height, centerY + radius)
  const right = Math.min(picture.width, centerX + radius)
  for (let y = Math.max(0, Math.floor(centerY - radius)); y < bottom; y++) {
    for (let x = Math.max(0, Math.floor(centerX - radius)); x < right; x++) {
      const nearness = 1 - Math.hypot(x - centerX, y - centerY) / radius
      if (nearness > 0) shine(picture, x, y, color, strength * nearness * nearness * nearness)
    }
  }
}

function dot(
  picture: Picture,
  x: number,
  y: number,
  radius: number,
  color: readonly [number, number, number],
  strength: number,
) {
  const reach = Math.ceil(radius)
  for (let row = Math.floor(y) - reach; row <= y + reach; row++) {
    for (let column = Math.floor(x) - reach; column <= x + reach; column++) {
      if (row < 0 || column < 0 || row >= picture.height || column >= picture.width) continue
      const nearness = clamp(radius + 0.5 - Math.hypot(column - x, row - y))
      if (nearness > 0) shine(picture, column, row, color, strength * nearness)
    }
  }
}

function spikes(picture: Picture, x: number, y: number, length: number, color: readonly [number, number, number]) {
  for (let step = -length; step <= length; step++) {
    const strength = (1 - Math.abs(step) / length) ** 3 * 0.55
    for (const [column, row] of [
      [x + step, y],
      [x, y + step],
    ] as const) {
      const inside = column >= 0 && row >= 0 && column < picture.width && row < picture.height
      if (inside) shine(picture, Math.floor(column), Math.floor(row), color, strength)
    }
  }
}
