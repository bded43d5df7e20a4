import { type Color, css, hex, mix, scaled } from '../pixels/color.ts'
import type { Pen } from '../pixels/picture.ts'
import type { Random } from '../pixels/random.ts'
import { lerp } from '../pixels/scalar.ts'
import type { Painting } from './painting.ts'

export interface Block {
  readonly x: number
  readonly top: number
  readonly width: number
  readonly foot: number
  /** From the farthest row, 0, to the nearest, 1. */
  readonly near: number
  readonly color: Color
}

/** Draws one building of a skyline: its walls, its crown, its windows and, where the prompt is neon, its signs. */
export function drawBuilding(painting: Painting, pen: Pen, block: Block, random: Random): void {
  const { light } = painting
  const { x, top, width, foot, color } = block
  const gradient = pen.createLinearGradient(x, 0, x + width, 0)
  const bright = css(scaled(color, 1.14))
  const dark = css(scaled(color, 0.78))
  gradient.addColorStop(0, light.side < 0 ? bright : dark)
  gradient.addColorStop(1, light.side < 0 ? dark : bright)
  pen.fillStyle = gradient
  const crown = random.next()
  const height = foot - top
  pen.fillRect(x, top, width, height)
  if (crown < 0.2) steppedCrown(pen, block, random)
  else if (crown < 0.32) slantedCrown(pen, block)
  else if (crown < 0.37) domedCrown(pen, block)
  else if (crown < 0.6) {
    pen.fillRect(x + width * 0.2, top - width * 0.12, width * 0.25, width * 0.13)
    pen.fillRect(x + width * 0.46, top - height * 0.16, Math.max(1, width * 0.03), height * 0.17)
  }
  if (block.near > 0.1) drawWindows(painting, pen, block, random)
  if (painting.reading.traits.has('neon') && block.near > 0.4 && random.chance(0.5))
    drawNeon(painting, pen, block, random)
}

function steppedCrown(pen: Pen, { x, top, width }: Block, random: Random): void {
  let inset = 0.16
  let y = top
  for (let step = 0; step < 3; step++) {
    const rise = width * random.between(0.18, 0.32)
    y -= rise
    pen.fillRect(x + width * inset, y, width * (1 - inset * 2), rise + 1)
    inset += 0.13
  }
  pen.fillRect(x + width * 0.485, y - width * 0.55, width * 0.03, width * 0.56)
}

function slantedCrown(pen: Pen, { x, top, width }: Block): void {
  pen.beginPath()
  pen.moveTo(x, top + 1)
  pen.lineTo(x, top - width * 0.55)
  pen.lineTo(x + width, top + 1)
  pen.fill()
}

function domedCrown(pen: Pen, { x, top, width }: Block): void {
  pen.beginPath()
  pen.ellipse(x + width / 2, top + 1, width * 0.42, width * 0.4, 0, Math.PI, 0)
  pen.fill()
  pen.fillRect(x + width * 0.485, top - width * 0.8, width * 0.03, width * 0.5)
}

const warmWindows = ['#ffd58a', '#ffe9bd', '#ffc46a', '#cfe4ff'].map(hex)
const neonWindows = ['#ff4fb0', '#38e1ff', '#ffd36a', '#9a7bff'].map(hex)

function drawWindows({ picture, light, reading }: Painting, pen: Pen, block: Block, random: Random): void {
  const neon = reading.traits.has('neon')
  const size = picture.unit * lerp(0.0036, 0.0075, block.near)
  const lines = random.chance(0.25)
  const gapX = size * (lines ? 1.05 : random.between(1.55, 2.1))
  const gapY = size * random.between(1.7, 2.3)
  const litShare =
    light.night || neon ? random.between(0.25, 0.6) : light.time === 'dusk' ? 0.42 : light.low ? 0.24 : 0.06
  const palette = neon ? neonWindows : warmWindows
  const glass = css(mix(light.sky.at(0.55), block.color, 0.5), 0.55)
  for (let y = block.top + gapY; y < block.foot - gapY * 0.5; y += gapY) {
    for (let x = block.x + gapX * 0.5; x < block.x + block.width - size; x += gapX) {
      if (random.chance(litShare)) {
        const color = palette[random.index(palette.length)] ?? hex('#ffd58a')
        pen.fillStyle = css(color, lerp(0.4, 0.95, block.near) * random.between(0.5, 1))
      } else if (light.night || neon) continue
      else pen.fillStyle = glass
      pen.fillRect(x, y, size, size * 1.15)
    }
  }
}

function drawNeon({ picture, reading }: Painting, pen: Pen, { x, top, width, foot }: Block, random: Random): void {
  const own = reading.parts.get('buildings') ?? reading.colors
  const color = own[random.index(own.length || 1)] ?? neonWindows[random.index(4)] ?? hex('#ff4fb0')
  pen.save()
  pen.shadowColor = css(color)
  pen.shadowBlur = picture.unit * 0.022
  pen.fillStyle = css(mix(color, hex('#ffffff'), 0.2))
  const height = foot - top
  if (random.chance(0.45))
    pen.fillRect(
      x + width * random.between(0.06, 0.8),
      top + height * 0.1,
      width * 0.09,
      height * random.between(0.2, 0.42),
    )
  else if (random.chance(0.6))
    pen.fillRect(x + width * 0.12, top + height * random.between(0.08, 0.4), width * 0.76, picture.unit * 0.006)
  else pen.fillRect(x, top, width, picture.unit * 0.005)
  pen.restore()
}
