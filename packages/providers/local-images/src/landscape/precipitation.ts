import { css, hex, mix } from '../pixels/color.ts'
import { type Pen, drawOver } from '../pixels/picture.ts'
import type { Painting } from './painting.ts'

/** Falling snow or rain, and the lightning of a storm. */
export function paintPrecipitation(painting: Painting): void {
  const { weather } = painting.light
  if (weather === 'snow') drawOver(painting.picture, (pen) => drawSnow(painting, pen))
  if (weather === 'rain' || weather === 'storm') drawOver(painting.picture, (pen) => drawRain(painting, pen))
}

function drawSnow({ picture, random }: Painting, pen: Pen): void {
  const count = Math.round((620 * picture.width * picture.height) / picture.unit ** 2)
  for (let flake = 0; flake < count; flake++) {
    const size = picture.unit * (0.0007 + 0.0036 * random.next() ** 2.4)
    pen.fillStyle = `rgba(255,255,255,${random.between(0.25, 0.85)})`
    pen.beginPath()
    pen.arc(random.next() * picture.width, random.next() * picture.height, size, 0, Math.PI * 2)
    pen.fill()
  }
}

function drawRain({ picture, random, light }: Painting, pen: Pen): void {
  const count = Math.round((820 * picture.width * picture.height) / picture.unit ** 2)
  const drop = mix(light.haze, hex('#eef4fa'), 0.5)
  pen.lineWidth = Math.max(0.7, picture.unit * 0.0009)
  for (let line = 0; line < count; line++) {
    const x = random.between(-0.1, 1.1) * picture.width
    const y = random.between(-0.05, 1) * picture.height
    const length = picture.unit * random.between(0.015, 0.05)
    pen.strokeStyle = css(drop, random.between(0.06, 0.26))
    pen.beginPath()
    pen.moveTo(x, y)
    pen.lineTo(x - length * 0.2 * light.side, y + length)
    pen.stroke()
  }
}

/** A forked bolt from the clouds to the horizon. */
export function paintLightning({ picture, random, horizon }: Painting): void {
  drawOver(picture, (pen) => {
    pen.shadowColor = 'rgba(190,205,255,0.95)'
    pen.shadowBlur = picture.unit * 0.04
    pen.lineJoin = 'round'
    const step = () => picture.unit * random.between(0.012, 0.035)
    const bolt = (startX: number, startY: number, end: number, width: number, forks: boolean) => {
      let x = startX
      let y = startY
      pen.strokeStyle = 'rgba(247,249,255,0.96)'
      pen.lineWidth = width
      const path: [number, number][] = [[x, y]]
      while (y < end) {
        x += picture.unit * random.between(-0.026, 0.026)
        y += step()
        path.push([x, y])
      }
      pen.beginPath()
      for (const [column, row] of path) pen.lineTo(column, row)
      pen.stroke()
      if (!forks) return
      for (const [column, row] of path.filter((_, index) => index % 4 === 2)) {
        if (random.chance(0.55)) bolt(column, row, row + picture.unit * random.between(0.06, 0.16), width * 0.45, false)
      }
    }
    bolt(picture.width * random.between(0.25, 0.75), 0, horizon * 0.97, picture.unit * 0.0042, true)
  })
}
