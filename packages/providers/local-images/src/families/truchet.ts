import { type Color, css, mix } from '../pixels/color.ts'
import { type Pen, drawOver } from '../pixels/picture.ts'
import type { Random } from '../pixels/random.ts'
import { flood } from './flood.ts'
import type { Family, Palette } from './family.ts'

/** Tiles of quarter circles, turned by chance, that join into endless loops. */
export const truchet: Family = {
  name: 'Truchet tiling',
  words:
    'truchet, tile, tiling, tiles, maze, labyrinth, loop, knot, tessellation, mosaic tile, interlaced, weaving line',
  moods: ['happy', 'calm'],
  paint({ picture, palette, random, energy, noise }) {
    flood(picture, palette.ground)
    const across = Math.round(random.between(6, 9) * (0.7 + energy * 0.4))
    const size = picture.unit / across
    const columns = Math.ceil(picture.width / size) + 1
    const rows = Math.ceil(picture.height / size) + 1
    drawOver(picture, (pen) => {
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          pen.save()
          pen.translate(column * size, row * size)
          pen.scale(size, size)
          const zone = 0.5 + noise.fractal(column * 0.16 + 3, row * 0.16, 2) * 1.2 + random.between(-0.12, 0.12)
          drawTile(pen, palette, random, zone)
          pen.restore()
        }
      }
    })
  },
}

function drawTile(pen: Pen, palette: Palette, random: Random, zone: number): void {
  const ink = (shift: number): Color => {
    const place = Math.floor(Math.max(0, Math.min(0.999, zone)) * palette.inks.length)
    return palette.inks[(place + shift) % palette.inks.length] ?? palette.inks[0]
  }
  pen.beginPath()
  pen.rect(0, 0, 1.004, 1.004)
  pen.clip()
  if (random.chance(0.5)) {
    pen.translate(1, 0)
    pen.scale(-1, 1)
  }
  for (const [cornerX, cornerY] of [
    [0, 0],
    [1, 1],
  ] as const) {
    for (const [index, [radius, width]] of (
      [
        [0.5, 0.42],
        [0.5, 0.26],
        [0.5, 0.1],
      ] as const
    ).entries()) {
      pen.strokeStyle = css(index === 1 ? mix(palette.ground, ink(1), 0.12) : ink(index))
      pen.lineWidth = width
      pen.beginPath()
      pen.arc(cornerX, cornerY, radius, 0, Math.PI * 2)
      pen.stroke()
    }
  }
}
