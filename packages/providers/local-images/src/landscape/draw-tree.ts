import type { Pen } from '../pixels/picture.ts'
import { drawCrowned } from './crowned-tree.ts'
import { drawPine } from './pine.ts'
import type { TreeStroke } from './tree-stroke.ts'

/** Draws one tree into a box of height 1 whose foot is the origin. */
export function drawTree(pen: Pen, tree: TreeStroke): void {
  if (tree.kind === 'pine') drawPine(pen, tree)
  else drawCrowned(pen, tree)
}
