import { foliage } from '../landscape/foliage.ts'
import type { Painting } from '../landscape/painting.ts'
import { plantTrees } from '../landscape/plant-trees.ts'
import type { Spot } from './spot.ts'

const wooded: ReadonlySet<Painting['scene']> = new Set(['mountain', 'forest', 'meadow'])

/** Trees along the foot of something large, so that it grows out of the country; `gap` is left free in the middle. */
export function plantFoot(painting: Painting, spot: Spot, { reach, gap }: { reach: number; gap: number }): void {
  if (!wooded.has(painting.scene)) return
  const random = painting.random.fork(59)
  const plantings = Array.from({ length: Math.round(reach * 44) }, () => ({
    x: spot.x + spot.height * random.between(gap, reach) * random.sign(),
    y: spot.y + spot.height * random.between(-0.015, 0.02),
    height: spot.height * random.between(0.07, 0.17),
  }))
  const look = foliage(painting, painting.scene === 'mountain' ? 'pine' : 'broadleaf')
  plantTrees(painting, look, plantings, Math.min(0.6, spot.fade + 0.1 * painting.light.hazeStrength))
}
