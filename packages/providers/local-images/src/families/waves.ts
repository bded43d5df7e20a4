import { type Color, css, mix } from '../pixels/color.ts'
import { type Pen, drawOver } from '../pixels/picture.ts'
import { flood } from './flood.ts'
import type { Family, Palette } from './family.ts'

/** Seigaiha: overlapping fans of arcs, row upon row, like a quiet sea. */
export const waves: Family = {
  name: 'wave pattern',
  words:
    'wave pattern, japanese wave, japanese wave pattern, seigaiha, waves, scallop, japanese pattern, fish scale, ocean pattern, scale pattern, art deco, fan, deco',
  moods: ['calm', 'happy'],
  paint({ picture, palette, random, energy, noise }) {
    flood(picture, palette.ground)
    const radius = picture.unit * random.between(0.085, 0.12) * (1.25 - energy * 0.25)
    const columns = Math.ceil(picture.width / (radius * 2)) + 2
    const rows = Math.ceil(picture.height / (radius * 0.5)) + 4
    drawOver(picture, (pen) => {
      for (let row = 0; row < rows; row++) {
        for (let column = -1; column < columns; column++) {
          const x = column * radius * 2 + (row % 2 ? radius : 0)
          const y = row * radius * 0.5
          const zone =
            0.5 + noise.fractal((x / picture.unit) * 1.7, (y / picture.unit) * 1.7, 2) * 1.3 + random.between(-0.1, 0.1)
          drawFan(pen, palette, { x, y, radius, zone })
        }
      }
    })
  },
}

function drawFan(
  pen: Pen,
  { inks, ground }: Palette,
  fan: { x: number; y: number; radius: number; zone: number },
): void {
  const place = Math.floor(Math.max(0, Math.min(0.999, fan.zone)) * inks.length)
  const ink: Color = inks[place] ?? inks[0]
  const other: Color = inks[(place + 1) % inks.length] ?? inks[1]
  const rings = [ink, ground, mix(ink, other, 0.5), ground, other, ground, ink]
  rings.forEach((color, index) => {
    pen.fillStyle = css(color)
    pen.beginPath()
    pen.arc(fan.x, fan.y, fan.radius * (1 - index / rings.length) * (index % 2 ? 0.99 : 1), 0, Math.PI * 2)
    pen.fill()
  })
}
