import type { Color } from '../pixels/color.ts'
import { lerp } from '../pixels/scalar.ts'
import { cloudColors } from './cloud-colors.ts'
import { cloudSheet } from './cloud-sheet.ts'
import type { Painting } from './painting.ts'

/** Paints gradient, sun or moon glow, and clouds, from the top to just below the horizon. */
export function paintSky(painting: Painting): void {
  const { picture, light, horizon } = painting
  const bottom = Math.min(picture.height, Math.ceil(horizon + picture.height * 0.03))
  const clouds = cloudSheet(painting, bottom)
  const sun = sunPlace(painting)
  const tones = cloudColors(painting)
  const glow = sunGlow(painting)
  for (let y = 0; y < bottom; y++) {
    const base = light.sky.at((y / horizon) ** 0.92)
    for (let x = 0; x < picture.width; x++) {
      const dx = (x - sun.x) / picture.unit
      const dy = (y - sun.y) / picture.unit
      const near = glow.at(Math.sqrt(dx * dx + dy * dy))
      const at = (y * picture.width + x) * 3
      const { cover, lit } = clouds.at(x, y)
      const spread = near * (1 - 0.55 * cover)
      const edge = lit + near * 0.4 * (1 - cover)
      for (let channel = 0; channel < 3; channel++) {
        const cloud = lerp(tones.shade[channel]!, tones.lit[channel]!, edge)
        const value = base[channel]! + (cloud - base[channel]!) * cover
        picture.pixels[at + channel] = value + (glow.color[channel]! - value) * spread
      }
    }
  }
}

interface Glow {
  readonly color: Color
  /** How much of it is seen at a distance from the sun's middle, in shares of the shorter side. */
  at(distance: number): number
}

/**
 * The air's brightness around the sun. The sky is drawn toward its color, never past it: light added to light turns
 * every warm sky the same hard yellow.
 */
function sunGlow({ light, reading }: Painting): Glow {
  const [red, green, blue] = light.sunColor
  const warmth = light.low ? 0.1 : 0.02
  const reach = light.night ? 7 : light.low ? 3.2 : 6
  // Under a sky of stars the moon is down.
  const moonlit = reading.traits.has('stars') ? 0.06 : 0.3
  const strength = light.sunStrength * (light.night ? moonlit : light.low ? 0.62 : 0.42)
  return {
    color: [red * 1.04, green * (1.04 - warmth), blue * (1.04 - warmth * 2)],
    at: (distance) =>
      Math.min(0.96, strength * (Math.exp(-distance * reach) + 0.5 * Math.exp(-distance * distance * 48))),
  }
}

/** Where the sun or moon stands. */
export function sunPlace({ picture, light, horizon }: Painting): { x: number; y: number } {
  return { x: picture.width * light.sunAcross, y: horizon * (1 - light.sunHeight) }
}
