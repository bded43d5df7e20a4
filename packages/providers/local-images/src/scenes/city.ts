import { type Color, blend, hex, mix } from '../pixels/color.ts'
import { type Pen, drawOver } from '../pixels/picture.ts'
import { bell, clamp, lerp } from '../pixels/scalar.ts'
import type { Random } from '../pixels/random.ts'
import { drawBuilding } from '../landscape/building.ts'
import { paintMist } from '../landscape/mist.ts'
import type { Painting, Scene, Stage } from '../landscape/painting.ts'
import { foliage } from '../landscape/foliage.ts'
import { plantTrees } from '../landscape/plant-trees.ts'
import { paintEmbankment } from '../landscape/embankment.ts'
import { paintQuay } from '../landscape/quay.ts'

const rows = 5

/** A skyline over a river; a quay in front where something is to stand. */
export const city: Scene = {
  horizon: 0.7,
  paintFar(painting): Stage {
    const { picture, light, reading, horizon } = painting
    const neon = reading.traits.has('neon')
    for (let row = 0; row < rows; row++) {
      const near = row / (rows - 1)
      drawOver(picture, (pen) => drawRow(painting, pen, near, row))
      if (row === rows - 1) break
      const haze = neon ? blend(light.haze, hex('#b02a8a'), 0.35) : light.haze
      const thickness = lerp(0.36, 0.14, near) * (light.weather === 'fog' ? 2 : 1)
      paintMist(painting, horizon - picture.unit * 0.34, horizon + picture.unit * 0.06, haze, thickness)
    }
    paintEmbankment(painting)
    return { far: { y: () => horizon - picture.unit * 0.008, from: 0.1, to: 0.9, scale: 1, fade: 0.03 } }
  },
  paintNear(painting, plan): Stage {
    const blossom = painting.reading.traits.has('blossom')
    if (!plan.peopledNear && !blossom) return {}
    const level = painting.picture.height * 0.86
    paintQuay(painting, level)
    if (blossom) plantAvenue(painting, level)
    return { near: { y: () => level + painting.picture.unit * 0.075, from: 0.06, to: 0.94, scale: 1, fade: 0 } }
  },
}

function drawRow(painting: Painting, pen: Pen, near: number, row: number): void {
  const { picture, horizon, light, reading } = painting
  const random = painting.random.fork(row * 13 + 5)
  const center = 0.5 + 0.14 * Math.sin(row * 2.1 + light.sunAcross * 9)
  const own = reading.parts.get('buildings')?.[0]
  const tall = Math.min(horizon * 1.05, picture.unit * 1.05)
  for (let x = -picture.unit * 0.05; x < picture.width * 1.02;) {
    const width = picture.unit * random.between(0.035, 0.08) * lerp(0.62, 1.35, near)
    const hump = bell(x / picture.width, center, 0.3)
    const rise = random.between(0.12, 0.26) + hump * random.between(0.12, 0.62) * random.next() ** 0.35
    const height = Math.min(horizon * 0.9, width * 11, tall * rise * lerp(1.12, 0.66, near))
    const wall = buildingColor(painting, random, near, own)
    drawBuilding(painting, pen, { x, top: horizon - height, width, foot: horizon + 2, near, color: wall }, random)
    x += width * random.between(0.96, 1.24)
  }
}

function buildingColor({ light, reading }: Painting, random: Random, near: number, own: Color | undefined): Color {
  const neon = reading.traits.has('neon')
  const base =
    light.night || neon
      ? hex('#161d38')
      : light.time === 'dusk'
        ? hex('#33365a')
        : light.low
          ? hex('#53416a')
          : hex('#6c7c92')
  const stone = random.pick([
    base,
    base,
    mix(base, hex('#8a6a58'), 0.35),
    mix(base, hex('#c9c2b4'), light.night ? 0.05 : 0.3),
  ])
  const tinted = own ? mix(stone, own, light.night ? 0.35 : 0.65) : stone
  return mix(tinted, light.haze, clamp(lerp(0.78, 0.05, near ** 0.75) * (0.8 + 0.2 * light.hazeStrength)))
}

/** Trees along the curb, two rows deep, with a gap to look through. */
function plantAvenue(painting: Painting, level: number): void {
  const { picture, random } = painting
  const places = [0.02, 0.14, 0.27, 0.74, 0.87, 0.99]
  const plantings = places.map((across) => ({
    x: picture.width * (across + random.between(-0.025, 0.025)),
    y: level + picture.unit * random.between(0.004, 0.03),
    height: picture.unit * random.between(0.3, 0.42),
  }))
  plantTrees(painting, foliage(painting, 'broadleaf'), plantings, 0.02)
}
