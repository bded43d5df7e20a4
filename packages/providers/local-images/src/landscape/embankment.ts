import { css, hex, lit, mix } from '../pixels/color.ts'
import { type Pen, drawOver } from '../pixels/picture.ts'
import { foliage } from './foliage.ts'
import type { Painting } from './painting.ts'

/** The river wall at the foot of a skyline, with trees before the houses and, after dark, lamps. */
export function paintEmbankment(painting: Painting): void {
  const { picture, light, reading } = painting
  drawOver(picture, (pen) => {
    drawTreeLine(painting, pen)
    drawWall(painting, pen)
    if (light.night || light.low || reading.traits.has('neon')) drawLamps(painting, pen)
  })
}

function drawWall({ picture, light, horizon }: Painting, pen: Pen): void {
  const top = horizon - picture.unit * 0.01
  const stone = lit(hex('#77736f'), mix(light.shade, light.lit, 0.25))
  pen.fillStyle = css(mix(stone, light.haze, 0.08))
  pen.fillRect(0, top, picture.width, picture.unit * 0.016)
  pen.fillStyle = css(mix(lit(hex('#a9a39c'), light.lit), light.haze, 0.1))
  pen.fillRect(0, top, picture.width, Math.max(1, picture.unit * 0.0022))
}

function drawTreeLine(painting: Painting, pen: Pen): void {
  const { picture, light, noise, horizon } = painting
  const random = painting.random.fork(41)
  const { leaves } = foliage(painting, 'broadleaf')
  const count = Math.round((150 * picture.width) / picture.unit)
  for (let tree = 0; tree < count; tree++) {
    const x = random.next() * picture.width
    const size = picture.unit * random.between(0.008, 0.02)
    if (noise.at((x / picture.unit) * 5, 40) < -0.12) continue
    const leaf = leaves[random.index(leaves.length)] ?? leaves[0]
    pen.fillStyle = css(mix(lit(leaf, mix(light.shade, light.lit, random.between(0, 0.55))), light.haze, 0.12), 0.95)
    pen.beginPath()
    pen.ellipse(x, horizon - picture.unit * 0.008 - size * 0.5, size * 0.8, size, 0, 0, Math.PI * 2)
    pen.fill()
  }
}

function drawLamps({ picture, horizon }: Painting, pen: Pen): void {
  const gap = picture.unit * 0.045
  const size = picture.unit * 0.003
  pen.fillStyle = '#fff0c8'
  pen.shadowColor = '#ffc060'
  pen.shadowBlur = picture.unit * 0.02
  for (let x = gap / 2; x < picture.width; x += gap) {
    pen.beginPath()
    pen.arc(x, horizon - picture.unit * 0.02, size, 0, Math.PI * 2)
    pen.fill()
  }
}
