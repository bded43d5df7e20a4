import { type Color, hex, mix } from '../pixels/color.ts'
import { clamp, lerp, smoothstep } from '../pixels/scalar.ts'
import { paintBank } from '../landscape/bank.ts'
import { foliage, grassColors, chooseSeason } from '../landscape/foliage.ts'
import { paintLightShafts } from '../landscape/light-shafts.ts'
import { paintMist } from '../landscape/mist.ts'
import type { Painting, Scene, Stage } from '../landscape/painting.ts'
import { paintPath } from '../landscape/path.ts'
import { type Planting, plantTrees } from '../landscape/plant-trees.ts'
import type { TreeKind } from '../landscape/tree-look.ts'
import { paintFlowers, paintGrass } from '../landscape/undergrowth.ts'

/** Rows of trees that fade into the mist, a clearing in front of them. */
export const forest: Scene = {
  horizon: 0.66,
  paintFar(painting): Stage {
    const { picture, light, horizon } = painting
    paintDistance(painting)
    for (let row = 0; row < 4; row++) {
      const share = row / 3
      const foot = horizon + picture.unit * lerp(-0.01, 0.05, share)
      const fade = clamp(lerp(0.82, 0.34, share) * (0.8 + 0.2 * light.hazeStrength), 0, 0.93)
      floorBand(painting, foot - picture.unit * 0.012, fade)
      plantRow(painting, {
        row,
        foot,
        fade,
        count: lerp(46, 20, share),
        height: lerp(0.3, 0.5, share),
        clear: share * 0.07,
      })
      paintMist(painting, foot - picture.unit * 0.22, foot + picture.unit * 0.05, light.haze, lerp(0.5, 0.22, share))
    }
    paintLightShafts(painting)
    const y = () => horizon + picture.unit * 0.055
    return { far: { y, from: 0.2, to: 0.8, scale: 1, fade: 0.12 } }
  },
  paintNear(painting, plan): Stage {
    const { picture, horizon, snowy, reading } = painting
    const dry = plan.waterline === undefined
    const level = dry ? horizon + picture.unit * 0.06 : picture.height * 0.84
    const edge = (x: number) =>
      level +
      picture.unit * 0.03 * painting.noise.fractal((x / picture.unit) * 2, 3, 3) -
      picture.unit * 0.05 * Math.abs(x / picture.width - 0.5)
    const ground = forestFloor(painting)
    paintBank(painting, { edge, color: ground.light, shadow: ground.dark, texture: snowy ? 0.35 : 1 })
    if (dry && (reading.traits.has('path') || !plan.peopledNear))
      paintPath(painting, { edge, color: pathColor(painting) })
    if (dry) plantFrame(painting, edge, 0.34, 0.16, [0.5, 0.72])
    if (!snowy) paintGrass(painting, { edge, count: 2400, height: 0.05 }, ground.light, ground.dark)
    if (!snowy && chooseSeason(painting) !== 'autumn') {
      paintFlowers(painting, { edge, count: 240, height: 0.028 }, ['#f4f1e6', '#cfe3f7', '#f5d66a'].map(hex))
    }
    plantFrame(painting, (x) => edge(x) + picture.height * 0.1, 0.15, 0, [0.85, 1.25])
    const standY = (x: number) => Math.max(edge(x) + picture.unit * 0.05, picture.height * 0.8)
    return { near: { y: standY, from: 0.22, to: 0.78, scale: 1, fade: 0 } }
  },
}

function treeKind({ reading, random }: Painting): TreeKind {
  const { traits } = reading
  if (traits.has('birches')) return 'birch'
  if (traits.has('pines')) return 'pine'
  if (traits.has('broadleaf') || traits.has('blossom') || traits.has('jungle')) return 'broadleaf'
  if (reading.season === 'autumn' || reading.season === 'spring') return random.chance(0.8) ? 'broadleaf' : 'birch'
  return reading.season === 'summer' ? 'broadleaf' : 'pine'
}

interface Row {
  readonly row: number
  readonly foot: number
  readonly fade: number
  readonly count: number
  readonly height: number
  readonly clear: number
}

function plantRow(painting: Painting, { row, foot, fade, count, height, clear }: Row): void {
  const { picture, random, noise } = painting
  const kind = treeKind({ ...painting, random: painting.random.fork(3) })
  const mixed = kind !== 'pine' && chooseSeason(painting) === 'autumn' && row % 2 === 0
  const plantings: Planting[] = []
  const number = Math.round((count * picture.width) / picture.unit)
  for (let tree = 0; tree < number; tree++) {
    const across = (tree + random.between(0.05, 0.95)) / number
    if (Math.abs(across - 0.5) < clear) continue
    const swell = 1 + noise.fractal(across * 5 + row * 7, row, 3) * 1.1
    const tall = height * swell * random.between(0.62, 1.12) * (0.82 + 0.5 * Math.abs(across - 0.5))
    plantings.push({
      x: across * picture.width,
      y: foot + picture.unit * random.between(-0.012, 0.014),
      height: picture.unit * Math.min(0.74, tall) * (kind === 'pine' ? 1.06 : 0.92),
    })
  }
  plantTrees(painting, foliage(painting, kind), mixed ? plantings.filter((_, index) => index % 4 > 0) : plantings, fade)
  if (mixed)
    plantTrees(
      painting,
      foliage(painting, 'pine'),
      plantings.filter((_, index) => index % 4 === 0),
      fade,
    )
}

/** Tall trees left and right, whose heads may leave the picture. */
function plantFrame(
  painting: Painting,
  edge: (x: number) => number,
  reach: number,
  inset: number,
  heights: readonly [number, number],
) {
  const { picture, random } = painting
  const kind = treeKind({ ...painting, random: painting.random.fork(3) })
  const plantings: Planting[] = []
  for (const side of [0, 1]) {
    for (let tree = 0; tree < 3; tree++) {
      const x = picture.width * Math.abs(side - inset - (reach - inset) * ((tree + random.between(0, 0.7)) / 3))
      const height = picture.unit * random.between(...heights) * (1 - tree * 0.12)
      plantings.push({ x, y: edge(x) + picture.unit * random.between(0.01, 0.04), height })
    }
  }
  plantTrees(painting, foliage(painting, kind), plantings, 0.03)
}

/** The view between the farthest trunks: no sky, but more wood. */
function paintDistance(painting: Painting): void {
  const { picture, light, horizon, noise } = painting
  const wood = mix(
    foliage(painting, treeKind({ ...painting, random: painting.random.fork(3) })).leaves[0],
    light.haze,
    0.84,
  )
  for (let x = 0; x < picture.width; x++) {
    const top = horizon - picture.unit * (0.17 + 0.12 * noise.fractal((x / picture.unit) * 3, 21, 5))
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(picture.height, horizon + picture.unit * 0.08); y++) {
      const alpha = smoothstep(top, top + picture.unit * 0.07, y) * 0.75
      const at = (y * picture.width + x) * 3
      for (let channel = 0; channel < 3; channel++) {
        picture.pixels[at + channel] = picture.pixels[at + channel]! * (1 - alpha) + wood[channel]! * alpha
      }
    }
  }
}

function floorBand(painting: Painting, from: number, fade: number): void {
  const { light } = painting
  const floor = forestFloor(painting)
  paintBank(painting, {
    edge: () => from,
    color: mix(floor.light, light.haze, fade * 0.5),
    shadow: mix(floor.dark, light.haze, fade * 0.5),
    texture: 0.5,
    fade,
    until: from + painting.picture.unit * 0.12,
  })
}

function forestFloor(painting: Painting): { light: Color; dark: Color } {
  if (chooseSeason(painting) === 'autumn') return { light: hex('#b0682c'), dark: hex('#5d3719') }
  return grassColors(painting)
}

function pathColor(painting: Painting): Color {
  if (painting.snowy) return hex('#d3dfec')
  return chooseSeason(painting) === 'autumn' ? hex('#c08a52') : hex('#b39a72')
}
