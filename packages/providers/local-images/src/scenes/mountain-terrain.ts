import { type Color, hex, mix } from '../pixels/color.ts'
import { bell, clamp, smoothstep } from '../pixels/scalar.ts'
import { grassColors } from '../landscape/foliage.ts'
import type { Painting } from '../landscape/painting.ts'
import type { GroundPoint, Terrain } from '../landscape/terrain.ts'
import type { Noise } from '../pixels/noise.ts'

/** How high the eye stands over the lake. */
export const eye = 0.17

const freshSnow = hex('#f2f6fc')

/** Two ranges behind foothills, one peak of the nearer range above the rest; level ground at the shore. */
export function mountainTerrain(painting: Painting, shore: number): Terrain {
  const lie = lieOfTheLand(painting, shore)
  const look = lookOfTheLand(painting)
  return {
    eye,
    near: shore,
    far: 21,
    fading: 0.05,
    grain: 0.24,
    grainSize: 30,
    height: (x, z) => shoreHeight(lie, x, z) + nearRange(lie, x, z) + farRange(lie, x, z) + foothills(lie, x, z),
    color: (point) => slopeColor(look, point),
  }
}

interface Lie {
  readonly noise: Noise
  readonly octaves: number
  readonly shore: number
  /** Where in the endless noise this country lies. */
  readonly start: number
  /** The place of the highest peak. */
  readonly heroX: number
  readonly heroZ: number
  readonly sharpness: number
  readonly side: number
}

function lieOfTheLand({ noise, random, reading, octaves, light }: Painting, shore: number): Lie {
  return {
    noise,
    octaves,
    shore,
    start: random.between(0, 80),
    heroX: -light.side * random.between(0.4, 1.6),
    heroZ: random.between(7.5, 9),
    sharpness: reading.traits.has('peaks') || reading.mood === 'dramatic' ? 1.25 : 1,
    side: light.side,
  }
}

function shoreHeight({ noise, shore }: Lie, x: number, z: number): number {
  return 0.02 * noise.fractal(x * 2, z * 2, 3) + 0.02 * smoothstep(shore, shore * 1.3, z)
}

function nearRange({ noise, octaves, shore, start, heroX, heroZ, sharpness }: Lie, x: number, z: number): number {
  const close = bell(z, 8.5, 2.8)
  if (close <= 0.02) return 0
  const warp = noise.at(x * 0.32 + start, z * 0.32) * 0.6
  const folds = noise.ridged(x * 0.27 + warp + start, z * 0.27 + warp, Math.min(5, octaves), 0.45)
  const hero = Math.max(0, 1 - Math.hypot((x - heroX) * 0.34, (z - heroZ) * 0.3)) ** 1.15
  const inShore = smoothstep(shore * 1.05, shore * 1.05 + 3, z)
  return (folds ** 1.5 * 2 * close + hero * (1.15 + folds * 0.75)) * sharpness * inShore
}

/** Broad folds only: far off, what is finer than a pixel would show as a comb of needles. */
function farRange({ noise, octaves, start, sharpness }: Lie, x: number, z: number): number {
  const distant = bell(z, 16, 3.2)
  if (distant <= 0.02) return 0
  return noise.ridged(x * 0.15 + start, z * 0.15 + 4, octaves, 0.42) ** 1.4 * 4.4 * distant * sharpness
}

/** Hills that leave a valley open in the middle. */
function foothills({ noise, start, side }: Lie, x: number, z: number): number {
  const hills = (0.3 + noise.fractal(x * 0.45 + start, z * 0.45, 4) * 0.9) * 0.5 * bell(z, 5, 1.8)
  const valley = smoothstep(0.05, 0.5, Math.abs(x / z + 0.06 * side))
  return Math.max(0, hills) * (0.35 + 0.65 * valley)
}

interface Look {
  readonly noise: Noise
  readonly rock: Color
  readonly grass: { readonly light: Color; readonly dark: Color }
  readonly snowy: boolean
  /** The height from which snow lies. */
  readonly snowLine: number
}

function lookOfTheLand(painting: Painting): Look {
  const { noise, random, reading, snowy, light } = painting
  return {
    noise,
    rock: reading.parts.get('rock')?.[0] ?? (light.low ? hex('#84727c') : hex('#7d7f86')),
    grass: grassColors(painting),
    snowy,
    snowLine: snowy ? 0.35 : random.between(1.25, 1.6),
  }
}

function slopeColor({ noise, rock, grass, snowy, snowLine }: Look, { x, z, height, level }: GroundPoint): Color {
  const rough = noise.fractal(x * 3.2, z * 3.2 + height * 2, 4)
  const strata = noise.at(height * 9 + rough, x * 0.4) * 0.1
  const bare = mix(rock, mix(rock, hex('#4d4a50'), 0.7), clamp(0.5 + rough * 0.9 + strata))
  const green = smoothstep(1.05, 0.45, height + rough * 0.35) * smoothstep(0.5, 0.74, level + rough * 0.12)
  const grown = mix(bare, mix(grass.dark, grass.light, clamp(0.45 + rough)), green)
  const snow =
    smoothstep(snowLine - 0.14, snowLine + 0.16, height + rough * 0.5) * smoothstep(0.34, 0.56, level + rough * 0.16)
  return mix(grown, freshSnow, snowy ? Math.max(snow, green * 0.9) : snow)
}
