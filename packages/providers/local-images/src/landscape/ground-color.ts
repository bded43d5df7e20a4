import { type Color, lit, mix } from '../pixels/color.ts'
import { clamp, smoothstep } from '../pixels/scalar.ts'
import type { FanStep, HeightFan } from './height-fan.ts'
import type { Light } from './light.ts'
import type { Painting } from './painting.ts'
import type { Terrain } from './terrain.ts'

/** The color of a ray's step: its own color in sun or shadow, faded by the air before it. */
export function groundColor({ light, picture }: Painting, terrain: Terrain, fan: HeightFan, at: FanStep): Color {
  const z = fan.distances[at.step]!
  const height = fan.heights[at.column * fan.steps + at.step]!
  const { riseX, riseZ } = slopesAt(fan, at, picture.unit)
  const level = 1 / Math.sqrt(riseX * riseX + riseZ * riseZ + 1)
  const facing = clamp((-riseX * light.side * 0.72 - riseZ * -0.28 + (light.low ? 0.28 : 0.62)) * level)
  const received = clamp(facing * 1.25) * sunlightAt(light, fan, at, z / picture.unit)
  const own = terrain.color({ x: at.slope * z, z, height, level })
  const shaded = mix(lit(own, light.shade), lit(own, light.lit), received)
  return mix(shaded, light.haze, clamp(airBefore(terrain, light, z, height)))
}

/** How the ground rises to the right and away; over one step alone, every crest would flicker between its two faces. */
function slopesAt(
  { heights, distances, steps, width }: HeightFan,
  { column, step }: FanStep,
  unit: number,
): { riseX: number; riseZ: number } {
  const z = distances[step]!
  const right = Math.min(width - 1, column + 3)
  const left = Math.max(0, column - 3)
  const back = Math.min(steps - 1, step + 4)
  const front = Math.max(0, step - 4)
  return {
    riseX: (heights[right * steps + step]! - heights[left * steps + step]!) / (((right - left) * z) / unit),
    riseZ:
      (heights[column * steps + back]! - heights[column * steps + front]!) / (distances[back]! - distances[front]!),
  }
}

/** 1 in the sun, toward 0 where higher ground stands between the point and the light. */
function sunlightAt(
  { side, low }: Light,
  { heights, steps, width }: HeightFan,
  { column, step }: FanStep,
  columnWidth: number,
): number {
  const from = heights[column * steps + step]!
  const rise = low ? 0.32 : 0.8
  let shadow = 1
  for (let tap = 1; tap <= 5; tap++) {
    const columns = tap * tap * 4
    const other = column + side * columns
    if (other < 0 || other >= width) break
    const over = heights[other * steps + step]! - (from + columns * columnWidth * rise)
    if (over > 0) shadow = Math.min(shadow, clamp(1 - over * 8))
  }
  return 0.25 + 0.75 * shadow
}

/** How much haze lies before it: more with the distance, and in the hollows. */
function airBefore(terrain: Terrain, light: Light, z: number, height: number): number {
  const far = 1 - Math.exp(-(z - terrain.near) * terrain.fading * light.hazeStrength)
  const low = smoothstep(1.2, 0, height) * 0.12 * clamp((z - terrain.near) * 0.2)
  return far + low
}
