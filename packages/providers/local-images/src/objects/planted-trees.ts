import { foliage } from '../landscape/foliage.ts'
import { plantTrees } from '../landscape/plant-trees.ts'
import type { TreeKind } from '../landscape/tree-look.ts'
import { hex } from '../pixels/color.ts'
import type { Paint } from './drawable.ts'

export const cherryTree: Paint = (painting, spot) => {
  const leaves = spot.colors[0] ? [spot.colors[0]] : ['#e58fb2', '#f2b3c9', '#f9d4de', '#d97aa3'].map(hex)
  plantTrees(
    painting,
    { kind: 'broadleaf', leaves: [leaves[0] ?? hex('#f2b3c9'), ...leaves.slice(1)] },
    [spot],
    spot.fade,
  )
}

export function planted(kind: TreeKind): Paint {
  return (painting, spot) => {
    const look = foliage(painting, kind)
    const [own] = spot.colors
    plantTrees(painting, own ? { ...look, leaves: [own, ...look.leaves.slice(1, 2)] } : look, [spot], spot.fade)
  }
}
