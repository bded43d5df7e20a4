import { hex, lit, mix } from '../pixels/color.ts'
import { cover } from '../pixels/picture.ts'
import { clamp, smoothstep } from '../pixels/scalar.ts'
import { paintBank } from './bank.ts'
import type { Painting } from './painting.ts'

/** Sand, wet at its edge, and the foam of the last wave on it. */
export function paintBeach(painting: Painting, edge: (x: number) => number): void {
  const { picture, light, noise, reading } = painting
  const own = reading.parts.get('ground')?.[0]
  const sand = painting.snowy ? hex('#e8eef5') : (own ?? hex('#e6cfa2'))
  paintBank(painting, { edge, color: sand, shadow: mix(sand, hex('#8a6a4a'), 0.45), texture: 0.3 })
  const wet = lit(mix(sand, hex('#6d5a48'), 0.5), light.lit)
  const foam = lit(hex('#fbfdff'), mix(light.lit, [1, 1, 1], 0.3))
  const { unit } = picture
  for (let x = 0; x < picture.width; x++) {
    const shore = edge(x)
    const lap = noise.fractal((x / unit) * 3.3 + 2, 7, 3) * unit * 0.03
    for (let y = Math.max(0, Math.floor(shore - unit * 0.05)); y < Math.min(picture.height, shore + unit * 0.07); y++) {
      const past = (y - shore - lap) / unit
      cover(picture, x, y, wet, clamp(smoothstep(-0.006, 0.004, past) * smoothstep(0.055, 0.012, past) * 0.6))
      const lace = noise.ridged((x / unit) * 26, (y / unit) * 60, 3)
      const swash = smoothstep(-0.03, -0.004, past) * smoothstep(0.004, -0.002, past)
      cover(picture, x, y, foam, clamp(swash * (lace * 1.7 - 0.25)))
      const second = smoothstep(-0.05, -0.042, past) * smoothstep(-0.034, -0.04, past)
      cover(picture, x, y, foam, clamp(second * (lace * 1.5 - 0.4)))
    }
  }
}
