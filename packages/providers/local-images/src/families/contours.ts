import { mix, scaled } from '../pixels/color.ts'
import { evenRamp } from '../pixels/ramp.ts'
import { clamp, smoothstep } from '../pixels/scalar.ts'
import { fieldOver } from './field.ts'
import { fillEach } from './flood.ts'
import type { Family } from './family.ts'

/** Sheets of paper cut along the height lines of an invented land, each with its shadow. */
export const contours: Family = {
  name: 'contour map',
  words:
    'contour, topographic, topography, map, layered paper, paper cut, papercut, height line, isoline, layer, strata, terrain map, canyon layers',
  moods: ['calm', 'gloomy', 'dreamy'],
  paint({ picture, palette, noise, random, energy, octaves }) {
    const layers = Math.round(random.between(8, 13))
    const ramp = evenRamp([...palette.inks, palette.ground])
    const start = random.between(0, 90)
    const scale = random.between(0.8, 1.25) * energy
    const height = (x: number, y: number) => {
      const bend = noise.fractal(x * scale + start, y * scale, 3)
      return clamp(
        0.5 + noise.fractal(x * scale + bend * 0.9 + 7, y * scale + bend * 0.9 + start, Math.min(4, octaves)) * 1.15,
        0,
        0.9999,
      )
    }
    const land = fieldOver(picture, height)
    fillEach(picture, (x, y) => {
      const level = land(x, y) * layers
      const layer = Math.floor(level)
      const above = land(x + 0.012, y + 0.016) * layers
      // A higher sheet to the upper left throws its shadow here.
      const toward = land(x - 0.011, y - 0.015) * layers
      const shadow = smoothstep(layer + 1, layer + 1.12, toward) * 0.34
      const rim = smoothstep(0.07, 0.02, level - layer) * 0.22
      const grain = noise.at(x * 190, y * 190) * 0.018
      const color = ramp.at((layer + 0.5) / layers)
      const lit = scaled(color, 1 + grain + 0.02 * (above - level))
      return mix(mix(lit, [1, 1, 1], rim), [0.04, 0.04, 0.08], shadow)
    })
  },
}
