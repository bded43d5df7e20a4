import { type Color, css, mix, scaled } from '../pixels/color.ts'
import { type Pen, type Picture, drawOver } from '../pixels/picture.ts'
import { lerp } from '../pixels/scalar.ts'
import { flood } from './flood.ts'
import type { Canvas, Family } from './family.ts'

/** Ribbons that follow an unseen current and never cross. */
export const flowField: Family = {
  name: 'flow field',
  words:
    'flow field, flow, flowing, current, wind, swirl, swirling, hair, fur, stream of color, movement, van gogh, particle',
  moods: ['calm', 'dreamy', 'dramatic'],
  paint(canvas) {
    const { picture, palette, random, detail } = canvas
    flood(picture, palette.ground)
    const current = createCurrent(canvas)
    const waters = freeWaters(picture)
    const tries = Math.round((2600 * picture.width * picture.height * detail) / picture.unit ** 2)
    drawOver(picture, (pen) => {
      pen.lineCap = 'round'
      pen.lineJoin = 'round'
      for (let ribbon = 0; ribbon < tries; ribbon++) {
        const start: Point = [random.next() * picture.width, random.next() * picture.height]
        const length = random.between(0.12, 0.55) * picture.unit
        const thickness = picture.unit * lerp(0.0028, 0.011, random.next() ** 2)
        const path = waters.follow(current, start, length)
        if (path) drawRibbon(pen, path, inkFor(canvas, path[0]!), Math.min(thickness, waters.gap * 1.05))
      }
    })
  },
}

type Point = readonly [x: number, y: number]

/** The direction in which the current runs at a point. */
type Current = (x: number, y: number) => number

function createCurrent({ picture: { unit }, noise, random, energy }: Canvas): Current {
  const scale = random.between(0.9, 1.7) * energy
  const bend = random.between(1.1, 2.2) * energy
  const start = random.between(0, 90)
  return (x, y) => noise.fractal((x / unit) * scale + start, (y / unit) * scale, 3) * Math.PI * bend
}

/** Keeps account, in cells of one ribbon's width, of where ribbons already run. */
function freeWaters({ width, height, unit }: Picture) {
  const gap = unit * 0.0075
  const stride = unit * 0.004
  const columns = Math.ceil(width / gap)
  const claimed = new Uint8Array(columns * Math.ceil(height / gap))
  const cell = (x: number, y: number) => Math.floor(y / gap) * columns + Math.floor(x / gap)
  const inside = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height
  return {
    gap,
    /** The way with the current up to another ribbon or the edge, which it claims; nothing where that is too short. */
    follow(current: Current, [fromX, fromY]: Point, length: number): Point[] | undefined {
      let [x, y] = [fromX, fromY]
      const path: Point[] = []
      const own = new Set<number>()
      for (let walked = 0; walked < length && inside(x, y); walked += stride) {
        const at = cell(x, y)
        if (claimed[at] && !own.has(at)) break
        own.add(at)
        path.push([x, y])
        const turn = current(x, y)
        x += Math.cos(turn) * stride
        y += Math.sin(turn) * stride
      }
      if (path.length < 9) return undefined
      for (const at of own) claimed[at] = 1
      return path
    },
  }
}

/** Neighbors share an ink, for the most part. */
function inkFor({ picture, palette, noise, random }: Canvas, [x, y]: Point): Color {
  const zone = noise.fractal((x / picture.unit) * 1.2 + 50, (y / picture.unit) * 1.2, 2) + random.between(-0.2, 0.2)
  const place = Math.floor(Math.max(0, Math.min(0.999, zone + 0.5)) * palette.inks.length)
  const ink = palette.inks[place] ?? palette.inks[0]
  return mix(scaled(ink, random.between(0.88, 1.1)), palette.ground, random.next() * 0.12)
}

function drawRibbon(pen: Pen, path: readonly Point[], ink: Color, thickness: number): void {
  pen.strokeStyle = css(ink)
  pen.lineWidth = thickness
  pen.beginPath()
  path.forEach(([x, y], index) => (index === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)))
  pen.stroke()
}
