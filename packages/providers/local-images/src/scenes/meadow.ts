import { type Color, hex, mix } from '../pixels/color.ts'
import { clamp, smoothstep } from '../pixels/scalar.ts'
import { paintBank } from '../landscape/bank.ts'
import { foliage, grassColors, chooseSeason } from '../landscape/foliage.ts'
import { foregroundEdge } from '../landscape/foreground.ts'
import { paintMist } from '../landscape/mist.ts'
import type { Painting, Scene, Stage } from '../landscape/painting.ts'
import { paintPath } from '../landscape/path.ts'
import { paintTerrain } from '../landscape/paint-terrain.ts'
import type { PaintedGround, Terrain } from '../landscape/terrain.ts'
import { plantTrees } from '../landscape/plant-trees.ts'
import { paintFlowers, paintGrass } from '../landscape/undergrowth.ts'
import { chooseCrop } from '../landscape/crops.ts'

const eye = 0.26

/** Rolling country with hedges and fields, flowers in front. */
export const meadow: Scene = {
  horizon: 0.47,
  paintFar(painting, plan): Stage {
    const { light, horizon, picture } = painting
    const near = plan.waterline === undefined ? 0.55 : (eye * picture.unit) / (plan.waterline - horizon)
    const ground = paintTerrain(painting, hills(painting, near))
    plantHedges(painting, ground, near)
    const thickness = light.weather === 'fog' ? 0.7 : painting.reading.mood === 'dreamy' ? 0.35 : 0.14
    paintMist(painting, horizon - picture.unit * 0.06, horizon + picture.unit * 0.1, light.haze, thickness)
    const z = Math.max(near * 1.05, 1.5)
    return { far: { y: (x) => ground.rowOf(ground.xAt(x, z), z), from: 0.14, to: 0.86, scale: 1, fade: 0.05 } }
  },
  paintNear(painting, plan): Stage {
    const { picture, snowy, reading } = painting
    const edge = foregroundEdge(painting, plan, plan.waterline === undefined ? 0.1 : 0)
    const grass = grassColors(painting)
    const crop = chooseCrop(painting)
    const body = crop?.ground ?? grass
    paintBank(painting, { edge, color: body.light, shadow: body.dark, texture: snowy ? 0.35 : 1 })
    if (reading.traits.has('path') && plan.waterline === undefined) {
      paintPath(painting, { edge, color: snowy ? hex('#d3dfec') : hex('#c2a878') })
    }
    if (!snowy) paintGrass(painting, { edge, count: 3200, height: crop?.wheat ? 0.085 : 0.055 }, body.light, body.dark)
    const flowers = crop?.flowers ?? wildFlowers(painting)
    if (!snowy && flowers.length > 0) {
      const many = crop?.flowers.length || reading.parts.has('flowers') || chooseSeason(painting) === 'spring'
      paintFlowers(
        painting,
        { edge, count: many ? 3400 : painting.random.between(120, 900), height: crop?.flowers.length ? 0.055 : 0.042 },
        flowers,
        crop?.heart,
      )
    }
    return { near: { y: (x) => edge(x) + picture.unit * 0.07, from: 0.1, to: 0.9, scale: 1, fade: 0 } }
  },
}

function wildFlowers({ reading, snowy }: Painting): Color[] {
  const own = reading.parts.get('flowers')
  if (own) return [...own]
  if (snowy || reading.mood === 'gloomy' || chooseSeason({ reading, snowy }) === 'autumn') return []
  return ['#f4f1e6', '#f2c230', '#e2577a', '#8d6fd8', '#f07f3a'].map(hex)
}

function hills(painting: Painting, near: number): Terrain {
  const { noise, random, snowy } = painting
  const start = random.between(0, 80)
  const grass = grassColors(painting)
  const crop = chooseCrop(painting)
  const fields = snowy ? [grass.light, hex('#dfe8f2')] : fieldColors(painting, grass.light)
  return {
    eye,
    near,
    far: 22,
    fading: 0.062,
    grain: snowy ? 0.08 : 0.34,
    grainSize: 34,
    height(x, z) {
      const broad = noise.fractal(x * 0.42 + start, z * 0.42, 3, 0.38)
      const swell = smoothstep(near, near + 2.4, z)
      const rising = 0.055 * Math.max(0, z - 6) * (0.6 + noise.fractal(x * 0.12 + start, z * 0.1, 3))
      return broad * 0.5 * swell + rising + 0.02 * smoothstep(near, near * 1.2, z)
    },
    color({ x, z, height }) {
      const patch = noise.fractal(x * 3 + 7, z * 3, 3)
      const base = mix(grass.dark, grass.light, clamp(0.62 + patch * 0.8 + height * 0.3))
      if (crop) {
        const row = 0.5 + 0.5 * Math.sin((x + 0.25 * height) * 26 + noise.at(x, z) * 0.6)
        return mix(crop.ground.dark, crop.rows, clamp(row * 0.85 + patch * 0.4 + 0.12))
      }
      if (z < 2.2) return base
      const plot = Math.floor(noise.at(x * 0.55 + start, z * 0.3) * 7 + noise.at(x * 0.2, z * 0.6 + start) * 5)
      const field = fields[Math.abs(plot) % fields.length] ?? base
      return mix(base, mix(field, grass.dark, clamp(0.25 - patch * 0.6)), smoothstep(2.2, 3.6, z) * 0.72)
    },
  }
}

function fieldColors(painting: Painting, grass: Color): Color[] {
  const own = painting.reading.parts.get('ground')
  if (own) return [...own]
  if (chooseSeason(painting) === 'autumn') return ['#b8923f', '#a5702f', '#8c7a3a', '#c7a24d'].map(hex)
  if (chooseSeason(painting) === 'spring') return [grass, ...['#9cc25a', '#d8cf5a', '#6fa34a'].map(hex)]
  return [grass, ...['#c9b75e', '#5a8a40', '#8aa850', '#d8c06a'].map(hex)]
}

function plantHedges(painting: Painting, ground: PaintedGround, near: number): void {
  const { random, noise, picture } = painting
  const look = foliage(painting, 'broadleaf')
  for (const [depth, fade, count] of [
    [7, 0.5, 60],
    [4.4, 0.34, 44],
    [2.7, 0.16, 16],
  ] as const) {
    const z = Math.max(depth, near * 1.3)
    const plantings = Array.from({ length: Math.round((count * picture.width) / picture.unit) }, () => {
      const column = random.next() * picture.width
      const distance = z * random.between(0.85, 1.15)
      const x = ground.xAt(column, distance)
      const grove = noise.fractal(x * 0.9 + depth * 5, distance, 2)
      const row = ground.rowOf(x, distance)
      const hidden = isHidden(ground, column, distance, near, row)
      return {
        x: column,
        y: row + 1,
        height: hidden || grove < 0.02 ? 0 : (picture.unit / distance) * random.between(0.14, 0.26),
      }
    })
    const standing = plantings.filter(({ height }) => height > 4)
    plantTrees(painting, look, standing, clamp(fade * painting.light.hazeStrength, 0, 0.85))
  }
}

function isHidden(ground: PaintedGround, column: number, distance: number, near: number, row: number): boolean {
  for (let step = 1; step <= 14; step++) {
    const z = near + ((distance - near) * step) / 15
    if (ground.rowOf(ground.xAt(column, z), z) < row - 1) return true
  }
  return false
}
