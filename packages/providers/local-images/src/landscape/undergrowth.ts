import { type Color, css, hex, lit, mix } from '../pixels/color.ts'
import { drawOver } from '../pixels/picture.ts'
import { lerp } from '../pixels/scalar.ts'
import type { Painting } from './painting.ts'

export interface Undergrowth {
  /** The row at which the ground begins in a column. */
  readonly edge: (x: number) => number
  /** Plants for each square of the shorter side. */
  readonly count: number
  /** Height of the nearest, as a share of the shorter side. */
  readonly height: number
}

/** Blades of grass, small at the edge and tall at the foot of the picture. */
export function paintGrass(painting: Painting, growth: Undergrowth, light: Color, dark: Color): void {
  const { picture, random, light: falling } = painting
  drawOver(picture, (pen) => {
    pen.lineCap = 'round'
    for (const { x, y, near } of places(painting, growth)) {
      const height = picture.unit * growth.height * lerp(0.22, 1, near) * random.between(0.5, 1)
      const lean = height * random.between(-0.4, 0.4)
      const tone = mix(lit(dark, falling.shade), lit(light, falling.lit), random.between(0.15, 1))
      pen.strokeStyle = css(tone, 0.85)
      pen.lineWidth = Math.max(0.7, height * 0.045)
      pen.beginPath()
      pen.moveTo(x, y)
      pen.quadraticCurveTo(x + lean * 0.2, y - height * 0.6, x + lean, y - height)
      pen.stroke()
    }
  })
}

/** Flowers with stems; near ones show their petals. */
export function paintFlowers(
  painting: Painting,
  growth: Undergrowth,
  kinds: readonly Color[],
  heart: Color = hex('#f6d24e'),
): void {
  const { picture, random, light, noise } = painting
  const stem = mix(lit(hex('#4d7a3a'), light.shade), lit(hex('#5f9a45'), light.lit), 0.4)
  drawOver(picture, (pen) => {
    for (const { x, y, near } of places(painting, growth)) {
      const drift = noise.fractal((x / picture.unit) * 4, (y / picture.unit) * 8, 2) + random.between(-0.3, 0.3)
      if (drift < -0.16) continue
      const size = picture.unit * growth.height * lerp(0.1, 0.34, near * near)
      const color = kinds[random.index(kinds.length)] ?? hex('#ffffff')
      const seen = lit(color, mix(light.shade, light.lit, random.between(0.35, 1)))
      const headY = y - size * 2.3
      pen.strokeStyle = css(stem, 0.8)
      pen.lineWidth = Math.max(0.6, size * 0.16)
      pen.beginPath()
      pen.moveTo(x, y)
      pen.lineTo(x + size * random.between(-0.3, 0.3), headY)
      pen.stroke()
      pen.fillStyle = css(seen)
      if (size < picture.unit * 0.005) dot(pen, x, headY, size * 0.75)
      else petals(pen, x, headY, size * 0.62, css(lit(heart, light.lit)))
    }
  })
}

type Pen = Parameters<Parameters<typeof drawOver>[1]>[0]

function dot(pen: Pen, x: number, y: number, radius: number): void {
  pen.beginPath()
  pen.ellipse(x, y, radius, radius * 0.75, 0, 0, Math.PI * 2)
  pen.fill()
}

function petals(pen: Pen, x: number, y: number, radius: number, heart: string): void {
  for (let petal = 0; petal < 6; petal++) {
    const turn = (petal / 6) * Math.PI * 2
    pen.beginPath()
    pen.ellipse(
      x + Math.cos(turn) * radius,
      y + Math.sin(turn) * radius * 0.72,
      radius * 0.72,
      radius * 0.46,
      turn,
      0,
      Math.PI * 2,
    )
    pen.fill()
  }
  pen.fillStyle = heart
  dot(pen, x, y, radius * 0.5)
}

/** Points of the ground, farthest first, closer together where they are farther off. */
function places({ picture, random }: Painting, { edge, count }: Undergrowth): { x: number; y: number; near: number }[] {
  // On a very small picture they would only lie on top of each other.
  const room = Math.min(1, picture.unit / 300)
  const total = Math.round((count * room * picture.width) / picture.unit)
  const found = Array.from({ length: total }, () => {
    const x = random.next() * picture.width
    const top = edge(x)
    const near = random.next() ** 1.1
    return { x, y: top + (picture.height * 1.1 - top) * near, near }
  })
  return found.toSorted((a, b) => a.y - b.y)
}
