import { css, hex } from '../pixels/color.ts'
import type { Pen } from '../pixels/picture.ts'
import type { Random } from '../pixels/random.ts'
import type { TreeStroke } from './tree-stroke.ts'

/** Boughs from the lowest to the highest, each over the one below, fringed with needles. */
export function drawPine(pen: Pen, { leaves, trunk, snow, height, random, shaded, side }: TreeStroke): void {
  const tiers = Math.round(Math.min(27, 8 + height / 24))
  const spacing = 0.9 / tiers
  const spread = random.between(0.15, 0.21)
  const lean = random.between(-0.012, 0.012)
  pen.fillStyle = css(shaded(trunk ?? hex('#4a3426'), 0.35))
  pen.fillRect(-0.013, -0.16, 0.026, 0.16)
  for (let tier = 0; tier < tiers; tier++) {
    const share = tier / (tiers - 1)
    const bough: Bough = {
      x: lean * share * 4,
      y: -0.08 - share * 0.89,
      reach: spread * (1 - share) ** 0.86 * random.between(0.8, 1.16) + 0.009,
      thickness: spacing * 1.5,
      droop: 0.012 + 0.06 * (1 - share) * random.between(0.7, 1.1),
    }
    fillBough(pen, bough, css(shaded(leaves[0], 0.12)))
    const needles = Math.round(8 + Math.min(86, (height / 8) * (bough.reach / spread)))
    for (let needle = 0; needle < needles; needle++) {
      const offset = random.between(-1, 1)
      const depth = random.next()
      const brightness = 0.5 + 0.34 * side * offset - 0.42 * depth + random.between(-0.16, 0.2)
      pen.strokeStyle = css(
        shaded(leaves[random.index(leaves.length)] ?? leaves[0], Math.max(0.04, Math.min(1, brightness))),
      )
      drawNeedle(pen, bough, offset, depth, spacing * random.between(0.7, 1.35))
    }
    if (snow) snowOn(pen, bough, random, (brightness) => css(shaded(hex('#f4f8ff'), brightness)))
  }
}

interface Bough {
  readonly x: number
  readonly y: number
  /** Half its width. */
  readonly reach: number
  /** At the trunk. */
  readonly thickness: number
  /** How much lower its tips hang. */
  readonly droop: number
}

/** The bough's upper edge at a share of its reach; it thins toward the tip. */
function upperEdge({ y, thickness, droop }: Bough, along: number): number {
  return y - thickness * (1 - along) ** 1.4 + droop * along ** 1.4
}

function lowerEdge({ y, thickness, droop }: Bough, along: number): number {
  return y + thickness * 0.5 * (1 - along) + droop * along ** 1.4
}

function fillBough(pen: Pen, bough: Bough, color: string): void {
  const { x, reach } = bough
  pen.fillStyle = color
  pen.beginPath()
  for (const along of [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1])
    pen.lineTo(x + reach * along, upperEdge(bough, Math.abs(along)))
  for (const along of [0.75, 0.5, 0.25, 0, -0.25, -0.5, -0.75])
    pen.lineTo(x + reach * along, lowerEdge(bough, Math.abs(along)))
  pen.fill()
}

/** A needle that grows outward and down from somewhere in the bough; `depth` runs from its top to its underside. */
function drawNeedle(pen: Pen, bough: Bough, offset: number, depth: number, length: number): void {
  const along = Math.abs(offset)
  const top = upperEdge(bough, along)
  const startX = bough.x + bough.reach * offset
  const startY = top + (lowerEdge(bough, along) - top) * depth
  pen.lineCap = 'round'
  pen.lineWidth = length * 0.12
  pen.beginPath()
  pen.moveTo(startX, startY)
  pen.lineTo(startX + Math.sign(offset) * length * (0.3 + 0.5 * along), startY + length * 0.8)
  pen.stroke()
}

/** Snow lies along the upper edge, in patches that thin toward the tip. */
function snowOn(pen: Pen, bough: Bough, random: Random, tone: (brightness: number) => string): void {
  pen.lineCap = 'round'
  for (const side of [-1, 1]) {
    for (let patch = 0; patch < 5; patch++) {
      const from = random.between(0.05, 0.85)
      const to = Math.min(1, from + random.between(0.1, 0.24))
      const width = bough.thickness * random.between(0.2, 0.42) * (1.1 - from * 0.7)
      pen.strokeStyle = tone(random.between(0.5, 0.95))
      pen.lineWidth = width
      pen.beginPath()
      for (const along of [from, (from + to) / 2, to])
        pen.lineTo(bough.x + side * bough.reach * along, upperEdge(bough, along) + width * 0.3)
      pen.stroke()
    }
  }
}
