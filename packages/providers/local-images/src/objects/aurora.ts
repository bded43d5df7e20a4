import type { Painting } from '../landscape/painting.ts'
import { type Color, hex, mix } from '../pixels/color.ts'
import { shine } from '../pixels/picture.ts'
import { clamp, smoothstep } from '../pixels/scalar.ts'
import type { Paint } from './drawable.ts'

export const aurora: Paint = (painting, { colors }) => {
  const low = colors[0] ?? hex('#3dffa0')
  const high = colors[1] ?? hex('#8a5cff')
  for (const [index, height] of [0.62, 0.44, 0.74].entries()) paintCurtain(painting, index, height, low, high)
}

function paintCurtain(
  { picture, noise, horizon, light }: Painting,
  index: number,
  height: number,
  low: Color,
  high: Color,
): void {
  const strength = (light.night || light.time === 'dusk' ? 0.86 : 0.22) * (1 - index * 0.24)
  for (let x = 0; x < picture.width; x++) {
    const across = x / picture.unit
    const fold = noise.fractal(across * 1.3 + index * 17, index * 5 + 2, 3)
    const foot = horizon * (height + fold * 0.5)
    const rays = 0.45 + 0.55 * noise.at(across * 34 + fold * 9, index * 3)
    const sway = clamp(0.4 + noise.at(across * 2.1 + 40, index * 7) * 1.1)
    const length = horizon * (0.3 + 0.22 * rays) * (0.6 + sway * 0.6)
    const top = Math.max(0, Math.floor(foot - length))
    for (let y = top; y < Math.min(horizon, foot + horizon * 0.04); y++) {
      const up = (foot - y) / length
      const body = up < 0 ? smoothstep(-0.08, 0, up) : Math.max(0, 1 - up) ** 1.6
      const color = mix(low, high, smoothstep(0.25, 0.95, up))
      shine(picture, x, y, color, body * strength * sway * (0.45 + 0.55 * rays))
    }
  }
}
