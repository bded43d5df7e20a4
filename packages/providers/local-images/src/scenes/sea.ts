import { hex, mix } from '../pixels/color.ts'
import type { Painting, Scene, Stage } from '../landscape/painting.ts'
import { smoothstep } from '../pixels/scalar.ts'
import { paintCape } from '../landscape/cape.ts'
import { grassColors } from '../landscape/foliage.ts'
import { paintMist } from '../landscape/mist.ts'
import { paintBeach } from '../landscape/beach.ts'
import { foregroundEdge } from '../landscape/foreground.ts'

/** Open water, a headland where something is to stand on it, a beach where someone would. */
export const sea: Scene = {
  horizon: 0.5,
  paintFar(painting, plan): Stage {
    const { picture, light, reading, random } = painting
    const foot = plan.waterline ?? painting.horizon
    const grass = grassColors(painting)
    const rock = reading.parts.get('rock')?.[0] ?? hex('#756b64')
    const landward = -light.side
    if (reading.traits.has('island') || random.chance(0.4)) {
      const center = 0.5 + light.side * random.between(0.18, 0.4)
      const top = islandTop(painting, foot, { center, halfWidth: 0.24, height: 0.055, roughness: 0.05 })
      paintCape(painting, { top, foot, green: mix(grass.dark, rock, 0.4), rock, fade: 0.5 })
    }
    paintMist(painting, foot - picture.unit * 0.05, foot + 2, light.haze, light.weather === 'fog' ? 0.8 : 0.3)
    if (!plan.peopledFar) return {}
    const top = headlandTop(painting, foot, landward, reading.traits.has('cliff') ? 0.15 : 0.09)
    paintCape(painting, { top, foot, green: grass.light, rock, fade: 0.1 * light.hazeStrength })
    const [from, to] = landward > 0 ? [0.7, 0.96] : [0.04, 0.3]
    return { far: { y: (x) => top(x) + picture.unit * 0.012, from, to, scale: 1, fade: 0.08 } }
  },
  paintNear(painting, plan): Stage {
    const { reading, picture } = painting
    if (!plan.peopledNear && !reading.traits.has('beach')) return {}
    const edge = foregroundEdge(painting, plan, -0.02)
    paintBeach(painting, edge)
    return { near: { y: (x) => edge(x) + picture.unit * 0.06, from: 0.08, to: 0.92, scale: 1, fade: 0 } }
  },
}

/** Land that rises steeply from the water and is then almost level, so that a thing can stand on it. */
function headlandTop(
  { picture, noise }: Painting,
  foot: number,
  landward: number,
  rise: number,
): (x: number) => number {
  const { width, unit } = picture
  return (x) => {
    const inland = landward > 0 ? x / width - 0.56 : 0.44 - x / width
    const body = smoothstep(0, 0.11, inland)
    const slope = 1 - smoothstep(0.06, 0.14, inland)
    const ragged = noise.fractal((x / unit) * 9 + 3, 8, 4) * (0.16 + 0.9 * slope)
    const height = rise * body * (1 + ragged) + 0.02 * smoothstep(0.2, 0.44, inland)
    return foot + 2 - unit * height + (body === 0 ? 4 : 0)
  }
}

function islandTop(
  { picture, noise }: Painting,
  foot: number,
  island: { center: number; halfWidth: number; height: number; roughness: number },
): (x: number) => number {
  return (x) => {
    const across = Math.abs(x / picture.width - island.center) / island.halfWidth
    if (across >= 1) return foot + 4
    const crest = noise.ridged((x / picture.unit) * 4 + 9, 4, 4)
    return foot + 2 - picture.unit * (1 - across ** 1.7) * (island.height * (0.35 + crest) + island.roughness * 0.2)
  }
}
