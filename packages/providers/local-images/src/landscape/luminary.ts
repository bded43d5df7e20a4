import { hex } from '../pixels/color.ts'
import { cover } from '../pixels/picture.ts'
import { clamp } from '../pixels/scalar.ts'
import { paintMoonDisc } from './moon-disc.ts'
import type { Painting } from './painting.ts'
import { sunPlace } from './sky.ts'

/** Paints the sun, or at night the moon, unless the prompt places one as an object. */
export function paintLuminary(painting: Painting): void {
  const { picture, light, reading } = painting
  if (light.sunStrength < 0.4) return
  const { x, y } = sunPlace(painting)
  if (light.night) {
    const asked = reading.subjects.some(({ object }) => object === 'moon')
    if (!asked && !reading.traits.has('stars'))
      paintMoonDisc(painting, { x, y, radius: picture.unit * 0.034, color: hex('#f2f0df') })
    return
  }
  if (light.time === 'dusk') return
  const radius = picture.unit * (light.low ? 0.044 : 0.03)
  const color = light.low ? hex('#fff7dc') : hex('#fffef6')
  const soft = radius * (light.low ? 0.36 : 0.6)
  for (let row = Math.max(0, Math.floor(y - radius * 2)); row < Math.min(picture.height, y + radius * 2); row++) {
    for (
      let column = Math.max(0, Math.floor(x - radius * 2));
      column < Math.min(picture.width, x + radius * 2);
      column++
    ) {
      const alpha = clamp((radius - Math.hypot(column - x, row - y)) / soft + 0.5) * light.sunStrength
      if (alpha > 0) cover(picture, column, row, [color[0] * 1.15, color[1] * 1.12, color[2] * 1.05], alpha)
    }
  }
}
