import { type Color, css, hex } from '../pixels/color.ts'
import type { Pen } from '../pixels/picture.ts'
import type { Random } from '../pixels/random.ts'
import type { TreeStroke } from './tree-stroke.ts'

export function drawCrowned(pen: Pen, tree: TreeStroke): void {
  const { kind, random, shaded, trunk } = tree
  const bark = trunk ?? hex(kind === 'birch' ? '#e6e2d8' : '#4b372a')
  const girth = kind === 'birch' ? 0.02 : 0.034
  const crown = kind === 'birch' ? 0.46 : 0.38
  const limbs = growLimbs(pen, tree, bark, girth)
  if (kind === 'birch') barkMarks(pen, girth, random)
  if (kind === 'bare') return
  const clumps = limbs.flatMap(([x, y]) => [
    { x, y, radius: crown * random.between(0.26, 0.4) },
    {
      x: x * 0.5 + random.between(-0.06, 0.06),
      y: y + random.between(0, 0.1),
      radius: crown * random.between(0.28, 0.42),
    },
  ])
  clumps.sort((a, b) => b.y - a.y)
  for (const clump of clumps) leafClump(pen, tree, clump, shaded)
}

function growLimbs(
  pen: Pen,
  { kind, random, shaded, side }: TreeStroke,
  bark: Color,
  girth: number,
): (readonly [number, number])[] {
  const fork = kind === 'birch' ? -0.5 : -0.34
  const limbs: (readonly [number, number])[] = []
  const gradient = pen.createLinearGradient(-girth, 0, girth, 0)
  gradient.addColorStop(side < 0 ? 0 : 1, css(shaded(bark, 0.85)))
  gradient.addColorStop(side < 0 ? 1 : 0, css(shaded(bark, 0.1)))
  pen.fillStyle = gradient
  pen.beginPath()
  pen.moveTo(-girth * 1.7, 0)
  pen.quadraticCurveTo(-girth * 0.7, -0.08, -girth * 0.62, fork)
  pen.lineTo(-girth * 0.3, -0.72)
  pen.lineTo(girth * 0.3, -0.72)
  pen.lineTo(girth * 0.62, fork)
  pen.quadraticCurveTo(girth * 0.7, -0.08, girth * 1.7, 0)
  pen.fill()
  pen.lineCap = 'round'
  const count = kind === 'bare' ? 9 : 6
  for (let limb = 0; limb < count; limb++) {
    const share = (limb + 0.5) / count
    const turn = (limb % 2 ? 1 : -1) * random.between(0.3, 1)
    const startY = fork - 0.34 * share
    const end = [turn * 0.25 * (1.1 - share * 0.6), startY - random.between(0.1, 0.2)] as const
    pen.strokeStyle = css(shaded(bark, 0.3 + 0.3 * turn * side))
    pen.lineWidth = girth * (0.62 - share * 0.4)
    pen.beginPath()
    pen.moveTo(0, startY)
    pen.quadraticCurveTo(end[0] * 0.5, startY - 0.03, end[0], end[1])
    pen.stroke()
    if (kind === 'bare') twigs(pen, end, random, girth)
    limbs.push(end)
  }
  limbs.push([random.between(-0.03, 0.03), -0.84])
  return limbs
}

function twigs(pen: Pen, [x, y]: readonly [number, number], random: Random, girth: number): void {
  for (let twig = 0; twig < 5; twig++) {
    pen.lineWidth = girth * 0.12
    pen.beginPath()
    pen.moveTo(x * random.between(0.6, 1), y + random.between(0, 0.04))
    pen.lineTo(x * random.between(0.9, 1.5) + random.between(-0.04, 0.04), y - random.between(0.02, 0.12))
    pen.stroke()
  }
}

function barkMarks(pen: Pen, girth: number, random: Random): void {
  pen.fillStyle = 'rgba(38,34,32,0.75)'
  for (let mark = 0; mark < 16; mark++) {
    const width = girth * random.between(0.3, 0.9)
    pen.fillRect(
      random.between(-girth, girth - width) * 0.7,
      -random.between(0.02, 0.68),
      width,
      random.between(0.003, 0.008),
    )
  }
}

interface Clump {
  readonly x: number
  readonly y: number
  readonly radius: number
}

function leafClump(
  pen: Pen,
  { leaves, height, random, side, detail, snow }: TreeStroke,
  { x, y, radius }: Clump,
  shaded: TreeStroke['shaded'],
): void {
  pen.fillStyle = css(shaded(leaves[0], 0.08), 0.9)
  pen.beginPath()
  pen.ellipse(x, y, radius * 0.86, radius * 0.7, 0, 0, Math.PI * 2)
  pen.fill()
  const count = Math.round(Math.min(260, 26 + height * 0.26) * detail)
  const size = radius * Math.min(0.26, 1.35 / Math.sqrt(count))
  for (let leaf = 0; leaf < count; leaf++) {
    const turn = random.next() * Math.PI * 2
    const out = Math.sqrt(random.next())
    const dx = Math.cos(turn) * out * radius * 1.05
    const dy = Math.sin(turn) * out * radius * 0.84
    const brightness = 0.42 + (-dy / radius) * 0.38 + ((side * dx) / radius) * 0.26 + random.between(-0.12, 0.12)
    const white = snow && dy < -radius * 0.15 && random.chance(0.6)
    const color = white ? hex('#f4f8ff') : (leaves[random.index(leaves.length)] ?? leaves[0])
    pen.fillStyle = css(shaded(color, Math.max(0, Math.min(1, brightness))), 0.95)
    const length = size * random.between(0.7, 1.5)
    // A leaf of a pixel or two needs no outline, and a square is much the quicker.
    if (size * height < 2.2) pen.fillRect(x + dx - length, y + dy - length * 0.6, length * 2, length * 1.2)
    else {
      pen.beginPath()
      pen.ellipse(x + dx, y + dy, length, size * random.between(0.45, 0.9), turn, 0, Math.PI * 2)
      pen.fill()
    }
  }
}
