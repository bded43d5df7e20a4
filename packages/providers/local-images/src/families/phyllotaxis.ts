import { css, mix, scaled } from '../pixels/color.ts'
import { drawOver } from '../pixels/picture.ts'
import { evenRamp } from '../pixels/ramp.ts'
import { clamp } from '../pixels/scalar.ts'
import { flood } from './flood.ts'
import type { Family } from './family.ts'

/** The angle between the seeds of a sunflower. */
const goldenAngle = Math.PI * (3 - Math.sqrt(5))

/** Seeds in golden spirals, swelling and turning color as they go out. */
export const phyllotaxis: Family = {
  name: 'phyllotaxis spiral',
  words:
    'spiral, phyllotaxis, fibonacci, golden ratio, dots, dot, polka dot, halftone, seed pattern, sunflower spiral, vortex, pointillist',
  moods: ['calm', 'happy', 'dramatic'],
  paint({ picture, palette, noise, random, energy }) {
    flood(picture, palette.ground)
    const ramp = evenRamp(palette.inks)
    const centerX = picture.width * random.between(0.36, 0.64)
    const centerY = picture.height * random.between(0.36, 0.64)
    const spacing = picture.unit * random.between(0.0125, 0.0175)
    const reach = Math.hypot(picture.width, picture.height)
    const cycle = random.between(1.2, 2.4) * energy
    drawOver(picture, (pen) => {
      for (let seed = 2; ; seed++) {
        const radius = spacing * Math.sqrt(seed)
        if (radius > reach) break
        const turn = seed * goldenAngle
        const x = centerX + Math.cos(turn) * radius
        const y = centerY + Math.sin(turn) * radius
        const out = radius / picture.unit
        const swell = 0.5 + 0.5 * Math.sin(out * 9 * cycle + noise.fractal(x / picture.unit, y / picture.unit, 2) * 4)
        const size = spacing * (0.3 + 0.6 * swell) * 0.92
        const share = clamp(
          (out * cycle * 0.9 + noise.fractal((x / picture.unit) * 1.4, (y / picture.unit) * 1.4 + 7, 2) * 0.5) % 1,
          0,
          1,
        )
        const color = ramp.at(Math.abs(share * 2 - 1))
        if (x < -size || y < -size || x > picture.width + size || y > picture.height + size) continue
        pen.fillStyle = css(color)
        pen.beginPath()
        pen.ellipse(x, y, size, size * 0.82, turn, 0, Math.PI * 2)
        pen.fill()
        pen.fillStyle = css(mix(scaled(color, 1.1), [1, 1, 1], 0.22), 0.7)
        pen.beginPath()
        pen.ellipse(x - size * 0.22, y - size * 0.26, size * 0.38, size * 0.3, turn, 0, Math.PI * 2)
        pen.fill()
      }
    })
  },
}
