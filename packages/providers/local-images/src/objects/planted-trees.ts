import { foliage } from '../landscape/foliage.ts'
import { plantTrees } from '../landscape/plant-trees.ts'
import type { TreeKind } from '../landscape/tree-look.ts'
import { hex } from '../pixels/color.ts'
import type { PaintedObject } from './drawable.ts'

export const tree: PaintedObject = planted('tree', 'broadleaf', 0.46, [
  'tree',
  'oak',
  'oak tree',
  'maple',
  'lone tree',
  'apple tree',
  'willow',
  'maple tree',
])

export const cherryTree: PaintedObject = {
  ...planted('cherry tree', 'broadleaf', 0.46, [
    'cherry tree',
    'sakura tree',
    'cherry blossom tree',
    'blossoming tree',
    'almond tree',
  ]),
  paint(painting, spot) {
    const leaves = spot.colors[0] ? [spot.colors[0]] : ['#e58fb2', '#f2b3c9', '#f9d4de', '#d97aa3'].map(hex)
    plantTrees(
      painting,
      { kind: 'broadleaf', leaves: [leaves[0] ?? hex('#f2b3c9'), ...leaves.slice(1)] },
      [spot],
      spot.fade,
    )
  },
}

export const pineTree: PaintedObject = planted('pine', 'pine', 0.46, [
  'pine',
  'pine tree',
  'fir tree',
  'christmas tree',
  'spruce tree',
])

export const bareTree: PaintedObject = planted('bare tree', 'bare', 0.42, [
  'bare tree',
  'dead tree',
  'leafless tree',
  'withered tree',
])

function planted(name: string, kind: TreeKind, size: number, words: readonly string[]): PaintedObject {
  return {
    name,
    words,
    place: 'near',
    size,
    breadth: 0.65,
    flock: 4,
    abounds: kind === 'pine' ? ['forest', 'mountain'] : ['forest'],
    scenes: [[kind === 'pine' ? 'forest' : 'meadow', 0.5]],
    paint(painting, spot) {
      const look = foliage(painting, kind)
      const [own] = spot.colors
      plantTrees(painting, own ? { ...look, leaves: [own, ...look.leaves.slice(1, 2)] } : look, [spot], spot.fade)
    },
  }
}
