import { type Color, css, luminance } from '../pixels/color.ts'
import { type Pen, drawOver } from '../pixels/picture.ts'
import type { Random } from '../pixels/random.ts'
import { flood } from './flood.ts'
import type { Family, Palette } from './family.ts'

/** A poster of circles, quarters and bars on a grid. */
export const bauhaus: Family = {
  name: 'Bauhaus poster',
  words:
    'bauhaus, geometric shape, geometric, constructivist, mid century, art deco, retro poster, shapes, circles and squares, generative poster, scandinavian, kandinsky, swiss design, memphis',
  moods: ['happy', 'dramatic'],
  paint({ picture, palette, random, energy }) {
    flood(picture, palette.ground)
    const across = Math.max(3, Math.round(random.between(3.4, 5.4) * (0.8 + energy * 0.25)))
    const size = picture.unit / across
    const columns = Math.ceil(picture.width / size)
    const rows = Math.ceil(picture.height / size)
    const taken = new Set<number>()
    drawOver(picture, (pen) => {
      pen.translate((picture.width - columns * size) / 2, (picture.height - rows * size) / 2)
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          if (taken.has(row * columns + column)) continue
          const big =
            random.chance(0.24) && column + 1 < columns && row + 1 < rows && !taken.has(row * columns + column + 1)
          if (big) for (const at of [1, columns, columns + 1]) taken.add(row * columns + column + at)
          const side = big ? size * 2 : size
          pen.save()
          pen.translate(column * size + side / 2, row * size + side / 2)
          pen.rotate((random.index(4) * Math.PI) / 2)
          pen.scale(side, side)
          drawCell(pen, palette, random)
          pen.restore()
        }
      }
    })
  },
}

type Shape = (pen: Pen, colors: readonly [Color, Color, Color]) => void

const fill = (pen: Pen, color: Color, path: () => void) => {
  pen.fillStyle = css(color)
  pen.beginPath()
  path()
  pen.fill()
}

const shapes: readonly [Shape, ...Shape[]] = [
  (pen, [first, second]) => {
    fill(pen, first, () => pen.arc(0, 0, 0.42, 0, 7))
    fill(pen, second, () => pen.arc(0, 0, 0.2, 0, 7))
  },
  (pen, [first, second]) => {
    fill(pen, first, () => {
      pen.moveTo(-0.5, -0.5)
      pen.arc(-0.5, -0.5, 1, 0, Math.PI / 2)
    })
    fill(pen, second, () => {
      pen.moveTo(-0.5, -0.5)
      pen.arc(-0.5, -0.5, 0.5, 0, Math.PI / 2)
    })
  },
  (pen, [first, second]) => {
    fill(pen, first, () => pen.arc(-0.5, 0, 0.5, -Math.PI / 2, Math.PI / 2))
    fill(pen, second, () => pen.arc(0, 0, 0.5, -Math.PI / 2, Math.PI / 2))
  },
  (pen, [first]) => {
    for (let bar = 0; bar < 5; bar++) fill(pen, first, () => pen.rect(-0.5, -0.5 + bar * 0.2 + 0.05, 1, 0.1))
  },
  (pen, [first, second]) => {
    fill(pen, first, () => {
      pen.moveTo(-0.5, 0.5)
      pen.lineTo(0.5, 0.5)
      pen.lineTo(0.5, -0.5)
    })
    fill(pen, second, () => pen.arc(-0.18, -0.18, 0.2, 0, 7))
  },
  (pen, [first]) => {
    for (let dot = 0; dot < 16; dot++)
      fill(pen, first, () => pen.arc(-0.375 + (dot % 4) * 0.25, -0.375 + Math.floor(dot / 4) * 0.25, 0.072, 0, 7))
  },
  (pen, [first, second, third]) => {
    for (const [index, radius] of [0.5, 0.36, 0.22, 0.09].entries()) {
      fill(pen, [first, second, third][index % 3] ?? first, () => pen.arc(0, 0.5, radius, Math.PI, 0))
    }
  },
  (pen, [first, second]) => {
    for (const [x, y] of [
      [-0.25, -0.25],
      [0.25, 0.25],
    ] as const)
      fill(pen, first, () => pen.rect(x - 0.25, y - 0.25, 0.5, 0.5))
    for (const [x, y] of [
      [0.25, -0.25],
      [-0.25, 0.25],
    ] as const)
      fill(pen, second, () => pen.arc(x, y, 0.2, 0, 7))
  },
]

function drawCell(pen: Pen, palette: Palette, random: Random): void {
  const all = [palette.ground, ...palette.inks]
  const ground = all[random.chance(0.35) ? 0 : random.index(all.length)] ?? palette.ground
  // Shapes need to stand out from their own ground.
  const standing = all.filter((color) => Math.abs(luminance(color) - luminance(ground)) > 0.12)
  const pick = () => standing[random.index(standing.length)] ?? palette.inks[0]
  fill(pen, ground, () => pen.rect(-0.502, -0.502, 1.004, 1.004))
  const first = pick()
  random.pick(shapes)(pen, [first, pick(), pick()])
}
