import { type Color, fromOklab, toOklab } from '../pixels/color.ts'
import { fillSmoothly } from './flood.ts'
import type { Family } from './family.ts'

/** Pools of color that melt into each other over folded silk. */
export const gradientMesh: Family = {
  name: 'gradient mesh',
  words:
    'gradient, mesh, gradient mesh, blur, soft gradient, ambient, aurora gradient, blend, silk, smooth gradient, ombre',
  moods: ['calm', 'dreamy'],
  paint({ picture, palette, noise, random, energy }) {
    const colors = [palette.ground, ...palette.inks, ...palette.inks.slice(1)]
    // Around a ring and turned by chance, so that every color has a part of the picture to itself.
    const offset = random.between(0, Math.PI * 2)
    const pools = colors.map((color, index) => {
      const turn = offset + (index / colors.length) * Math.PI * 2 + random.between(-0.3, 0.3)
      const out = random.between(0.16, 0.62)
      return {
        color: toOklab(color),
        x: Math.cos(turn) * out * (picture.width / picture.unit),
        y: Math.sin(turn) * out * (picture.height / picture.unit),
        reach: random.between(0.22, 0.36),
      }
    })
    const start = random.between(0, 60)
    const fold = 0.22 * energy
    fillSmoothly(picture, (x, y) => {
      const bendX = noise.fractal(x * 1.1 + start, y * 1.1, 3)
      const bendY = noise.fractal(x * 1.1 + 9, y * 1.1 + start, 3)
      const u = x + bendX * fold * 2
      const v = y + bendY * fold * 2
      let lightness = 0
      let a = 0
      let b = 0
      let sum = 0
      for (const pool of pools) {
        const dx = u - pool.x
        const dy = v - pool.y
        const weight = 1 / (((dx * dx + dy * dy) / (pool.reach * pool.reach)) ** 1.5 + 0.02)
        lightness += pool.color[0] * weight
        a += pool.color[1] * weight
        b += pool.color[2] * weight
        sum += weight
      }
      const sheen = 0.035 * Math.sin((bendX * 7 + u * 2.4 + v * 1.6) * 3.2)
      const color: Color = [lightness / sum + sheen, (a / sum) * 1.12, (b / sum) * 1.12]
      return fromOklab(color)
    })
  },
}
