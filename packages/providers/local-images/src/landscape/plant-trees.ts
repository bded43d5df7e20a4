import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { type Color, lit, mix, scaled } from '../pixels/color.ts'
import { type Pen, boxOn, drawOver } from '../pixels/picture.ts'
import type { Random } from '../pixels/random.ts'
import { drawTree } from './draw-tree.ts'
import type { Light } from './light.ts'
import type { Painting } from './painting.ts'
import type { TreeKind, TreeLook } from './tree-look.ts'

/** A tree to be planted: its foot and its height, in pixels. */
export interface Planting {
  readonly x: number
  readonly y: number
  readonly height: number
}

const spriteWidths: Readonly<Record<TreeKind, number>> = { pine: 0.52, broadleaf: 0.8, birch: 0.84, bare: 0.8 }

const largestSprite = 900

/**
 * Plants trees, farthest first. A handful are drawn leaf by leaf and stamped with many sizes, mirrored by chance:
 * a wood of hundreds for the price of five.
 */
export function plantTrees(painting: Painting, look: TreeLook, plantings: readonly Planting[], fade: number): void {
  if (plantings.length === 0) return
  const { picture, light, detail } = painting
  const random = painting.random.fork(plantings.length)
  // Beyond this a leaf is larger than any eye needs, and every one costs.
  const tallest = Math.ceil(Math.min(largestSprite, Math.max(...plantings.map(({ height }) => height))))
  const count = Math.min(tallest > picture.unit * 0.5 ? 2 : 4, plantings.length)
  const sprites = Array.from({ length: count }, () => treeSprite(look, tallest, random, light, fade, detail))
  const top = Math.min(...plantings.map(({ y, height }) => y - height))
  const foot = Math.max(...plantings.map(({ y }) => y))
  const box = boxOn(picture, 0, top - 2, picture.width, foot + picture.unit * 0.05)
  const plant = (pen: Pen) => {
    for (const { x, y, height } of plantings.toSorted((a, b) => a.y - b.y)) {
      const sprite = sprites[random.index(sprites.length)]!
      const scale = height / tallest
      pen.save()
      pen.translate(x, y)
      // Mirroring a sprite also mirrors its light, so only the far, flat ones are.
      pen.scale(fade > 0.35 ? scale * random.sign() : scale, scale)
      // Bilinear is a third of the cost, and shows only where a sprite shrinks to less than half.
      pen.imageSmoothingQuality = scale > 0.5 ? 'low' : 'medium'
      pen.drawImage(sprite, -sprite.width / 2, -tallest * 0.99)
      pen.restore()
    }
  }
  drawOver(picture, plant, box)
}

function treeSprite(
  look: TreeLook,
  height: number,
  random: Random,
  light: Light,
  fade: number,
  detail: number,
): Canvas {
  const canvas = createCanvas(Math.ceil(height * spriteWidths[look.kind]), Math.ceil(height * 1.02))
  const pen = canvas.getContext('2d')
  pen.translate(canvas.width / 2, height * 0.99)
  pen.scale(height, height)
  const shaded = (color: Color, brightness: number) => {
    const seen = lit(color, mix(light.shade, light.lit, Math.min(1, brightness)))
    return mix(scaled(seen, 0.62 + 0.5 * brightness), light.haze, fade)
  }
  drawTree(pen, { ...look, height, random, shaded, side: light.side, detail })
  return canvas
}
