import type { Painting } from '../landscape/painting.ts'
import { paintHalo } from '../landscape/stars.ts'
import { type Color, css, hex, lit, mix, scaled } from '../pixels/color.ts'
import { type Pen, drawOver } from '../pixels/picture.ts'
import { lerp } from '../pixels/scalar.ts'
import type { Paint } from './drawable.ts'
import type { Spot } from './spot.ts'

export const pier: Paint = (painting, spot) => {
  const deck = deckFrom(painting, spot)
  const wood = spot.colors[0] ?? hex('#94704f')
  drawOver(painting.picture, (pen) => {
    drawShadow(pen, deck)
    drawPosts(pen, painting, deck, 0)
    drawPlanks(pen, painting, deck, wood)
    drawPosts(pen, painting, deck, 0.055)
  })
  if (painting.light.night || painting.light.time === 'dusk') hangLamps(painting, deck)
}

/** Where the far end lies on the way from the horizon, 0, to the viewer's feet, 1. */
const farEnd = 0.17

/** A walk that begins below the viewer and runs out over the water in true perspective. */
interface Deck {
  /** Its middle, half its width and its row; all shrink toward the horizon. */
  at(near: number): { middle: number; half: number; row: number }
  readonly unit: number
}

function deckFrom({ picture, horizon }: Painting, spot: Spot): Deck {
  const foot = picture.height * 1.03
  const vanishing = lerp(spot.x, picture.width / 2, 0.4)
  return {
    unit: picture.unit,
    at: (near) => ({
      middle: lerp(vanishing, spot.x, near),
      half: picture.unit * 0.17 * near,
      row: lerp(horizon, foot, near),
    }),
  }
}

/** Even steps along the deck, as the eye sees them: ever closer together. */
function stepsAlong(length: number): number[] {
  const count = Math.floor((1 / farEnd - 1) / length)
  return Array.from({ length: count + 1 }, (_, step) => 1 / (1 + step * length))
}

function fillBetween(pen: Pen, deck: Deck, from: number, to: number, widen = 1, drop = 0): void {
  const near = deck.at(from)
  const far = deck.at(to)
  pen.beginPath()
  pen.moveTo(near.middle - near.half * widen, near.row + drop * from)
  pen.lineTo(near.middle + near.half * widen, near.row + drop * from)
  pen.lineTo(far.middle + far.half * widen, far.row + drop * to)
  pen.lineTo(far.middle - far.half * widen, far.row + drop * to)
  pen.fill()
}

/** The dark water under the deck, and the beam that carries its edge. */
function drawShadow(pen: Pen, deck: Deck): void {
  pen.fillStyle = 'rgba(12,18,30,0.3)'
  fillBetween(pen, deck, 1, farEnd, 1.04, deck.unit * 0.1)
  pen.fillStyle = 'rgba(34,24,18,0.92)'
  fillBetween(pen, deck, 1, farEnd, 1, deck.unit * 0.035)
}

function drawPlanks(pen: Pen, { light, random }: Painting, deck: Deck, wood: Color): void {
  const chance = random.fork(23)
  const bright = lit(wood, mix(light.shade, light.lit, 0.75))
  const plank = 0.05
  for (const near of stepsAlong(plank).toReversed()) {
    const far = Math.max(farEnd, 1 / (1 / near + plank * 0.9))
    const worn = scaled(bright, chance.between(0.8, 1.06))
    pen.fillStyle = css(mix(worn, light.haze, (1 - near) * 0.16))
    fillBetween(pen, deck, near, far)
  }
}

/** Posts on both sides: from the deck down into the water, or a share of the shorter side above it. */
function drawPosts(pen: Pen, { light }: Painting, deck: Deck, above: number): void {
  const wood = hex('#5d4632')
  for (const near of stepsAlong(0.62).toReversed()) {
    const { middle, half, row } = deck.at(near)
    const width = deck.unit * 0.022 * near
    for (const side of [-1, 1]) {
      const tone = mix(light.shade, light.lit, side === light.side ? 0.8 : 0.3)
      pen.fillStyle = css(mix(lit(wood, tone), light.haze, (1 - near) * 0.16))
      const top = row - deck.unit * above * near
      const length = deck.unit * (above > 0 ? above + 0.012 : 0.11) * near
      pen.fillRect(middle + side * (half + width * 0.2) - width / 2, top, width, length)
    }
  }
}

function hangLamps({ picture }: Painting, deck: Deck): void {
  for (const near of stepsAlong(1.24)) {
    const { middle, half, row } = deck.at(near)
    for (const side of [-1, 1])
      paintHalo(
        picture,
        middle + side * half,
        row - deck.unit * 0.06 * near,
        deck.unit * 0.1 * near,
        hex('#ffc978'),
        0.9,
      )
  }
}
