import type { Noise } from '../pixels/noise.ts'
import { clamp, smoothstep } from '../pixels/scalar.ts'
import type { Painting } from './painting.ts'

export interface CloudSheet {
  /** How much of the sky a cloud hides here, and how much light it catches; both 0 to 1. */
  at(x: number, y: number): { cover: number; lit: number }
}

// Clouds are soft: a quarter of the points, drawn out between, is a quarter of the cost and looks the same.
const coarseness = 2

/** Works out the clouds from the top down to a row. */
export function cloudSheet(painting: Painting, bottom: number): CloudSheet {
  const grid = createGrid(painting, bottom)
  fillClouds(painting, grid, chooseWeather(painting))
  return { at: between(grid) }
}

interface Grid {
  readonly columns: number
  readonly rows: number
  readonly covers: Float32Array
  readonly lights: Float32Array
}

function createGrid({ picture }: Painting, bottom: number): Grid {
  const columns = Math.ceil(picture.width / coarseness) + 2
  const rows = Math.ceil(bottom / coarseness) + 2
  return { columns, rows, covers: new Float32Array(columns * rows), lights: new Float32Array(columns * rows) }
}

/** The kind and the amount of clouds in this sky. */
interface Cloudiness {
  /** From about -0.3, none, to 0.4, a lid. */
  readonly amount: number
  /** Where in the endless noise this sky lies. */
  readonly start: number
  readonly size: number
}

function chooseWeather(painting: Painting): Cloudiness {
  const { random } = painting
  return { amount: cloudAmount(painting), start: random.between(0, 100), size: random.between(1.5, 2.3) }
}

function fillClouds(painting: Painting, grid: Grid, { amount, start, size }: Cloudiness): void {
  const { picture, light, horizon, noise, octaves } = painting
  const sunward = light.side * 0.14
  for (let row = 0; row < grid.rows; row++) {
    const height = clamp(1 - (row * coarseness) / horizon, 0, 1)
    // Clouds lie in a sheet overhead: the nearer to the horizon, the more of it one row sees.
    const distance = 1 / (height + 0.3)
    for (let column = 0; column < grid.columns; column++) {
      const across = (column * coarseness - picture.width / 2) / picture.unit
      const u = across * size * (0.85 + distance * 0.32) + start
      const v = distance * 0.82 * size
      const swirl = noise.fractal(u * 0.6 + 3, v * 0.8, 3)
      const body = billow(noise, u + swirl * 0.8, v + swirl * 0.5, octaves)
      const cover = smoothstep(0.36 - amount, 0.74 - amount * 0.75, body)
      const at = row * grid.columns + column
      grid.covers[at] = cover * clamp(0.25 + height * 2.4) * 0.95
      if (cover <= 0.002) continue
      const toward = billow(noise, u + swirl * 0.8 + sunward, v + swirl * 0.5 - 0.1, 3)
      grid.lights[at] = clamp(0.66 + (body - toward) * 1.3 - cover * 0.3)
    }
  }
}

/** Reads the grid at a pixel; each answer overwrites the one before, for there is one a pixel. */
function between({ columns, covers, lights }: Grid): CloudSheet['at'] {
  const point = { cover: 0, lit: 0 }
  return (x, y) => {
    const column = Math.floor(x / coarseness)
    const row = Math.floor(y / coarseness)
    const shareX = x / coarseness - column
    const shareY = y / coarseness - row
    const at = row * columns + column
    point.cover = sampled(covers, at, columns, shareX, shareY)
    point.lit = point.cover > 0.002 ? sampled(lights, at, columns, shareX, shareY) : 0
    return point
  }
}

function sampled(of: Float32Array, at: number, columns: number, shareX: number, shareY: number): number {
  const upper = of[at]! + (of[at + 1]! - of[at]!) * shareX
  const lower = of[at + columns]! + (of[at + columns + 1]! - of[at + columns]!) * shareX
  return upper + (lower - upper) * shareY
}

/** Round heads over flat feet: octaves folded outward. */
function billow(noise: Noise, x: number, y: number, octaves: number): number {
  return 0.42 + noise.fractal(x, y * 1.35, octaves, 0.52) * 0.95
}

function cloudAmount({ reading, light, random }: Painting): number {
  const { weather } = light
  if (weather === 'storm') return 0.36
  if (weather === 'rain' || weather === 'cloudy') return 0.3
  if (weather === 'snow' || weather === 'fog') return 0.2
  if (reading.weather === 'clear') return -0.3
  if (reading.parts.has('clouds')) return 0.16
  if (reading.traits.has('stars') || light.night) return random.between(-0.2, -0.06)
  return reading.mood === 'calm' ? random.between(-0.14, 0) : random.between(-0.08, 0.1)
}
