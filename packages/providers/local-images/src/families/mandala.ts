import { type Color, css, luminance, mix } from '../pixels/color.ts'
import { type Pen, drawOver } from '../pixels/picture.ts'
import type { Random } from '../pixels/random.ts'
import { flood } from './flood.ts'
import type { Canvas, Family } from './family.ts'

/** Rings of petals around a heart, mirrored as in a rose window. */
export const mandala: Family = {
  name: 'mandala',
  words:
    'mandala, rosette, kaleidoscope, kaleidoscopic, radial, symmetry, symmetrical pattern, lotus pattern, snowflake pattern, rose window, medallion, sacred geometry',
  moods: ['calm', 'dreamy', 'happy'],
  paint(canvas) {
    const { picture, palette, random } = canvas
    flood(picture, palette.ground)
    const folds = [8, 10, 12, 16][random.index(4)] ?? 12
    const longest = Math.hypot(picture.width, picture.height) / picture.unit / 2
    const rings = Math.ceil(longest / 0.085)
    drawOver(picture, (pen) => {
      pen.translate(picture.width / 2, picture.height / 2)
      pen.scale(picture.unit, picture.unit)
      for (let ring = rings; ring >= 0; ring--) drawRing(pen, canvas, ring, folds)
    })
  },
}

type Petal = (pen: Pen, inner: number, outer: number, half: number) => void

const petals: readonly [Petal, ...Petal[]] = [
  (pen, inner, outer, half) => {
    pen.moveTo(inner, 0)
    pen.quadraticCurveTo((inner + outer) / 2, half * 1.5, outer, 0)
    pen.quadraticCurveTo((inner + outer) / 2, -half * 1.5, inner, 0)
  },
  (pen, inner, outer, half) => pen.ellipse((inner + outer) / 2, 0, (outer - inner) / 2, half * 0.8, 0, 0, 7),
  (pen, inner, outer, half) => {
    pen.moveTo(inner, -half)
    pen.lineTo(outer, 0)
    pen.lineTo(inner, half)
  },
  (pen, inner, outer, half) => {
    pen.moveTo(inner, -half * 0.7)
    pen.bezierCurveTo(outer * 0.98, -half * 1.7, outer * 0.98, half * 1.7, inner, half * 0.7)
  },
  (pen, inner, outer) => pen.arc((inner + outer) / 2, 0, (outer - inner) * 0.26, 0, 7),
]

function drawRing(pen: Pen, { palette, random }: Canvas, ring: number, folds: number): void {
  const inner = ring * 0.085
  const outer = inner + 0.085 * random.between(1.25, 1.9)
  const band = palette.inks[random.index(palette.inks.length)] ?? palette.ground
  pen.fillStyle = css(mix(band, palette.ground, random.between(0, 0.55)))
  pen.beginPath()
  pen.arc(0, 0, inner + 0.088, 0, Math.PI * 2)
  pen.fill()
  const many = ring > 6 ? folds * 4 : ring > 2 ? folds * 2 : folds
  const half = (Math.PI * Math.max(inner, 0.03)) / many
  const petal = random.pick(petals)
  const first = contrasting(random, [palette.ground, ...palette.inks], band)
  const second = contrasting(random, [palette.ground, ...palette.inks], first)
  const offset = random.chance(0.5) ? Math.PI / many : 0
  for (let fold = 0; fold < many; fold++) {
    pen.save()
    pen.rotate(offset + (fold / many) * Math.PI * 2)
    shape(pen, first, () => petal(pen, inner, outer, half))
    shape(pen, second, () => petal(pen, inner + 0.016, outer - 0.03, half * 0.55))
    shape(pen, band, () => pen.arc(inner + (outer - inner) * 0.42, 0, Math.min(half * 0.3, 0.011), 0, 7))
    pen.restore()
  }
}

function shape(pen: Pen, color: Color, path: () => void): void {
  pen.fillStyle = css(color)
  pen.beginPath()
  path()
  pen.fill()
}

function contrasting(random: Random, colors: readonly Color[], against: Color): Color {
  const fitting = colors.filter((color) => Math.abs(luminance(color) - luminance(against)) > 0.13)
  return fitting[random.index(fitting.length)] ?? colors[0] ?? against
}
