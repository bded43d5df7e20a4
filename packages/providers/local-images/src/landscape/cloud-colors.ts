import { type Color, blend, hex, mix } from '../pixels/color.ts'
import type { Painting } from './painting.ts'

/** The colors of clouds on the side of the light and on the other, by hour and weather. */
export function cloudColors({ light, reading }: Painting): { lit: Color; shade: Color } {
  const own = reading.parts.get('clouds')?.[0]
  const { sky, night, low, weather } = light
  if (own) return { lit: mix(own, hex('#ffffff'), 0.35), shade: blend(own, sky.at(0.4), 0.45) }
  if (weather === 'storm' || weather === 'rain') {
    return { lit: mix(hex('#8f98a1'), sky.at(0.8), night ? 0.85 : 0.3), shade: mix(hex('#2b323c'), sky.at(0.2), 0.45) }
  }
  if (night) return { lit: blend(sky.at(0.85), hex('#7f93bd'), 0.4), shade: sky.at(0.35) }
  if (low) return { lit: blend(hex('#ffd8ae'), sky.at(0.85), 0.3), shade: blend(sky.at(0.3), hex('#86608c'), 0.4) }
  return { lit: hex('#ffffff'), shade: blend(hex('#a3b4c9'), sky.at(0.55), 0.35) }
}
