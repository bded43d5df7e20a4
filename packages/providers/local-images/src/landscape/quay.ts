import { css, hex, lit, mix } from '../pixels/color.ts'
import { drawOver, cover } from '../pixels/picture.ts'
import { clamp } from '../pixels/scalar.ts'
import type { Painting } from './painting.ts'

/** A paved promenade from a row down to the foot of the picture, with its curb; wet stone shines after rain. */
export function paintQuay(painting: Painting, level: number): void {
  const { picture, light, noise, snowy } = painting
  const stone = snowy ? hex('#dde6f0') : hex('#8d8a88')
  const bright = lit(stone, light.lit)
  const dark = lit(stone, light.shade)
  const wet = light.weather === 'rain' || light.weather === 'storm'
  for (let y = Math.floor(level); y < picture.height; y++) {
    const down = (y - level) / (picture.height - level)
    const depth = 1 / (0.18 + down * 0.9)
    for (let x = 0; x < picture.width; x++) {
      const across = ((x - picture.width / 2) / picture.unit) * depth
      const grain = noise.fractal(across * 14, depth * 30, 3)
      const joint = jointAt(across * 3.2, depth * 1.9)
      const tone = clamp(0.5 + grain * 0.5 + across * light.side * 0.1 - joint * 0.4)
      const gleam = wet ? clamp(0.3 + noise.fractal(across * 2, depth * 3, 2)) * 0.4 : 0
      cover(picture, x, y, mix(mix(dark, bright, tone), light.sky.at(0.8), gleam), 1)
    }
  }
  drawOver(picture, (pen) => {
    pen.fillStyle = css(mix(bright, hex('#ffffff'), 0.12))
    pen.fillRect(0, level - picture.unit * 0.008, picture.width, picture.unit * 0.012)
    pen.fillStyle = css(dark)
    pen.fillRect(0, level + picture.unit * 0.004, picture.width, picture.unit * 0.004)
  })
}

function jointAt(column: number, row: number): number {
  const shifted = column + (Math.floor(row) % 2) * 0.5
  const x = Math.abs(shifted - Math.round(shifted))
  const y = Math.abs(row - Math.round(row))
  return x < 0.03 || y < 0.035 ? 1 : 0
}
