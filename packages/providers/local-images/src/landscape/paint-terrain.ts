import { type Color, mix } from '../pixels/color.ts'
import { clamp } from '../pixels/scalar.ts'
import { groundColor } from './ground-color.ts'
import { type FanStep, type HeightFan, type Met, crestNear, heightFan } from './height-fan.ts'
import type { Painting } from './painting.ts'
import type { PaintedGround, Terrain } from './terrain.ts'

/**
 * Paints a heightfield as the eye sees it. Heights are worked out once on a fan of rays, one a pixel column, with
 * steps that grow with the distance; each column is then drawn from front to back.
 */
export function paintTerrain(painting: Painting, terrain: Terrain): PaintedGround {
  const { picture, horizon, detail } = painting
  const steps = Math.round(420 * (0.5 + 0.5 * detail))
  const fan = heightFan(picture, terrain, steps)
  const skyline = new Float32Array(picture.width).fill(horizon)
  for (let column = 0; column < picture.width; column++) paintColumn(painting, terrain, fan, column, skyline)
  return {
    rowOf: (x, z) => horizon - ((terrain.height(x, z) - terrain.eye) / z) * picture.unit,
    xAt: (column, z) => ((column - picture.width / 2) / picture.unit) * z,
    skyline,
  }
}

function paintColumn(
  painting: Painting,
  terrain: Terrain,
  fan: HeightFan,
  column: number,
  skyline: Float32Array,
): void {
  const { picture, horizon } = painting
  const { steps } = fan
  const slope = (column - picture.width / 2) / picture.unit
  const floor = terrain.floor ?? -Infinity
  let drawnTo = picture.height
  let lastColor: Color | undefined
  let lastRow = picture.height
  let lastZ = terrain.near
  for (let step = 0; step < steps && drawnTo > 0; step++) {
    const at: FanStep = { column, step, slope }
    const met = crestNear(terrain, fan, at)
    const { z, height } = met
    const row = horizon - ((height - terrain.eye) / z) * picture.unit
    if (height < floor) {
      lastColor = undefined
      lastRow = row
      lastZ = z
      continue
    }
    if (row < drawnTo) {
      const color = colorAt(painting, terrain, fan, at, met)
      paintRun(painting, terrain, { column, slope, row, z, color, drawnTo, lastColor, lastRow, lastZ })
      drawnTo = row
      lastColor = color
      if (row < skyline[column]!) skyline[column] = row
    } else lastColor = undefined
    lastRow = row
    lastZ = z
  }
}

/**
 * The ground's color at a step, or just before a crest that lies near it. The very top of a ridge catches another light
 * than the face below it; met now nearer to a step, now farther, it would stripe the whole face.
 */
function colorAt(painting: Painting, terrain: Terrain, fan: HeightFan, at: FanStep, { z, crest }: Met): Color {
  if (!crest) return groundColor(painting, terrain, fan, at)
  const here = fan.distances[at.step]!
  const span = z > here ? fan.distances[at.step + 1]! - here : here - fan.distances[at.step - 1]!
  const before = Math.max(0, at.step - 1 + (z - here) / span)
  const step = Math.floor(before)
  const nearer = groundColor(painting, terrain, fan, { ...at, step })
  const farther = groundColor(painting, terrain, fan, { ...at, step: step + 1 })
  return mix(nearer, farther, before - step)
}

interface Run {
  readonly column: number
  readonly slope: number
  readonly row: number
  readonly z: number
  readonly color: Color
  readonly drawnTo: number
  readonly lastColor: Color | undefined
  readonly lastRow: number
  readonly lastZ: number
}

/** Fills the pixels between two neighboring steps of a column, running from one color to the other. */
function paintRun({ picture, noise }: Painting, terrain: Terrain, run: Run): void {
  const top = Math.max(0, Math.floor(run.row))
  const bottom = Math.min(picture.height, Math.ceil(run.drawnTo))
  const grain = terrain.grain ?? 0
  const fine = terrain.grainSize ?? 24
  const length = Math.max(1, run.lastRow - run.row)
  for (let y = top; y < bottom; y++) {
    const share = run.lastColor ? clamp((y - run.row) / length) : 0
    const color = run.lastColor ? mix(run.color, run.lastColor, share) : run.color
    let factor = 1
    if (grain > 0) {
      const z = run.z + (run.lastZ - run.z) * share
      const strength = grain * clamp(2.4 / z, 0, 1)
      if (strength > 0.01) {
        factor += strength * noise.fractal(run.slope * z * fine, z * fine * 0.55 + (y - run.row) * 0.02, 2) * 1.6
      }
    }
    const alpha = y === top ? clamp(1 - (run.row - top)) : 1
    const at = (y * picture.width + run.column) * 3
    for (let channel = 0; channel < 3; channel++) {
      const under = picture.pixels[at + channel]!
      picture.pixels[at + channel] = under + (color[channel]! * factor - under) * alpha
    }
  }
}
