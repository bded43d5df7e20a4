import { shine } from '../pixels/picture.ts'
import { clamp, smoothstep } from '../pixels/scalar.ts'
import type { Painting } from './painting.ts'
import { sunPlace } from './sky.ts'

const quad = [[0, 0], [1, 0], [0, 1], [1, 1]] as const // prettier-ignore

/** Paints light that falls through the crowns of a wood. */
export function paintLightShafts(painting: Painting): void {
  const { picture, light, noise } = painting
  if (light.sunStrength === 0) return
  const sun = sunPlace(painting)
  const originY = Math.min(sun.y, picture.height * 0.12)
  const strength = light.night ? 0.1 : 0.3
  // Light has no edges: one point in four is enough.
  for (let y = 0; y < picture.height - 1; y += 2) {
    for (let x = 0; x < picture.width - 1; x += 2) {
      const dx = x - sun.x
      const dy = y - originY
      const distance = Math.hypot(dx, dy) / picture.unit
      if (distance > 1.2) continue
      const ray = clamp(0.1 + noise.fractal(Math.atan2(dx, dy + picture.unit * 0.05) * 9, 3.3, 2) * 1.2)
      const body = ray * Math.exp(-distance * 2.1) * smoothstep(0.02, 0.2, distance) * strength
      if (body <= 0.004) continue
      for (const [across, down] of quad) shine(picture, x + across, y + down, light.sunColor, body)
    }
  }
}
