import { type Color, hex, mix } from '../pixels/color.ts'
import { shine } from '../pixels/picture.ts'
import { bell, clamp } from '../pixels/scalar.ts'
import type { Painting } from './painting.ts'

/** Adds the band of our own galaxy to a night sky, slanting across it, torn by dust and faint near the ground. */
export function paintMilkyWay({ picture, light, noise, horizon }: Painting): void {
  const { width, unit } = picture
  const cold: Color = hex('#8fa6dc')
  const warm: Color = hex('#e6c3b4')
  for (let y = 0; y < Math.min(picture.height, horizon); y++) {
    const height = clamp(1.1 - y / horizon)
    for (let x = 0; x < width; x++) {
      const u = (x - width / 2) / unit
      const v = (y - horizon * 0.5) / unit
      const off = u * 0.8 - v * 0.6 * light.side
      const bend = noise.fractal(u * 1.6 + 60, v * 1.6, 3) * 0.16
      const body = bell(off + bend, 0, 0.15)
      if (body < 0.02) continue
      const gas = clamp(0.55 + noise.fractal(u * 5 + 70, v * 5, 4) * 1.3)
      const dust = clamp(noise.ridged(u * 3.2 + 80, v * 3.2, 4) * 1.5 - 0.45) * bell(off + bend, 0.01, 0.07)
      const strength = body * gas * (1 - 0.8 * dust) * height * 0.58
      shine(picture, x, y, mix(cold, warm, bell(off + bend, 0, 0.07)), strength)
    }
  }
}
