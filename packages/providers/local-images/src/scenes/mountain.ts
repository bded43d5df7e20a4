import { hex } from '../pixels/color.ts'
import { paintBank } from '../landscape/bank.ts'
import { foliage, grassColors } from '../landscape/foliage.ts'
import { foregroundEdge } from '../landscape/foreground.ts'
import { paintMist } from '../landscape/mist.ts'
import type { Painting, Scene, ScenePlan, Stage } from '../landscape/painting.ts'
import { paintTerrain } from '../landscape/paint-terrain.ts'
import type { PaintedGround } from '../landscape/terrain.ts'
import { plantTrees } from '../landscape/plant-trees.ts'
import { paintFlowers, paintGrass } from '../landscape/undergrowth.ts'
import { eye, mountainTerrain } from './mountain-terrain.ts'

/** Ranges behind a lake or a valley, woods at their feet. */
export const mountain: Scene = {
  horizon: 0.6,
  paintFar(painting, plan): Stage {
    const shore = shoreDistance(painting, plan)
    const ground = paintTerrain(painting, mountainTerrain(painting, shore))
    const { light, horizon, picture } = painting
    const mist = light.weather === 'fog' ? 0.75 : painting.reading.mood === 'dreamy' ? 0.45 : 0.2
    paintMist(painting, horizon - picture.unit * 0.1, horizon + picture.unit * 0.06, light.haze, mist)
    plantWoods(painting, ground, shore)
    // A little up the bank: at the very edge, houses would stand in the lake.
    const y = (x: number) => ground.rowOf(ground.xAt(x, shore * 1.2), shore * 1.2)
    return { far: { y, from: 0.08, to: 0.92, scale: 1, fade: 0.08 } }
  },
  paintNear(painting, plan): Stage {
    const { picture } = painting
    const edge = foregroundEdge(painting, plan)
    const grass = grassColors(painting)
    paintBank(painting, { edge, color: grass.light, shadow: grass.dark, texture: painting.snowy ? 0.35 : 1 })
    if (!painting.snowy) {
      paintGrass(painting, { edge, count: 1700, height: 0.045 }, grass.light, grass.dark)
      if (painting.reading.season !== 'autumn') {
        paintFlowers(painting, { edge, count: 260, height: 0.03 }, ['#f4f1e6', '#f2c230', '#b58ae0'].map(hex))
      }
    }
    const look = foliage(painting, 'pine')
    const clear = plan.peopledNear ? 0.16 : 0.3
    plantTrees(painting, look, framingTrees(painting, edge, clear), 0)
    return { near: { y: (x) => edge(x) + picture.unit * 0.035, from: clear, to: 1 - clear, scale: 1, fade: 0 } }
  },
}

function shoreDistance({ picture, horizon }: Painting, { waterline }: ScenePlan): number {
  return waterline === undefined ? 0.75 : (eye * picture.unit) / (waterline - horizon)
}

function plantWoods(painting: Painting, ground: PaintedGround, shore: number): void {
  const { random, noise, picture } = painting
  const look = foliage(painting, 'pine')
  for (const [depth, fade, density] of [
    [2.1, 0.42, 150],
    [1.55, 0.3, 130],
    [1.12, 0.16, 90],
  ] as const) {
    const z = Math.max(shore, 2.1) * depth
    const plantings = Array.from({ length: Math.round((density * picture.width) / picture.unit) }, () => {
      const column = random.next() * picture.width
      const distance = z * random.between(0.97, 1.06)
      const grove = noise.fractal((column / picture.unit) * 2.4 + depth * 9, depth, 3)
      const height = (picture.unit / distance) * (random.between(0.1, 0.2) + grove * 0.16)
      return {
        x: column,
        y: ground.rowOf(ground.xAt(column, distance), distance) + 2,
        height: grove < -0.12 ? 0 : height,
      }
    })
    plantTrees(
      painting,
      look,
      plantings.filter(({ height }) => height > 3),
      // In fog no tree may be paler than the slope that it stands on.
      Math.min(0.5, fade * painting.light.hazeStrength * 0.8),
    )
  }
}

function framingTrees({ random, picture }: Painting, edge: (x: number) => number, clear: number) {
  const trees = []
  for (const side of [0, 1]) {
    for (let tree = 0; tree < 5; tree++) {
      const x = picture.width * Math.abs(side - random.between(-0.02, clear * 0.85))
      trees.push({
        x,
        y: edge(x) + picture.unit * random.between(0.02, 0.1),
        height: picture.unit * random.between(0.16, 0.42),
      })
    }
  }
  return trees
}
