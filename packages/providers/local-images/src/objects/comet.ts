import { paintHalo } from '../landscape/stars.ts'
import { css, hex, mix } from '../pixels/color.ts'
import { drawOver } from '../pixels/picture.ts'
import type { Paint } from './drawable.ts'

export const comet: Paint = ({ picture, light }, { x, y, height, colors }) => {
  const color = colors[0] ?? hex('#cfe6ff')
  const tail = height * 1.5
  drawOver(picture, (pen) => {
    const end = { x: x - light.side * tail, y: y - tail * 0.55 }
    const gradient = pen.createLinearGradient(x, y, end.x, end.y)
    gradient.addColorStop(0, css(mix(color, hex('#ffffff'), 0.6), 0.9))
    gradient.addColorStop(0.25, css(color, 0.4))
    gradient.addColorStop(1, css(color, 0))
    pen.fillStyle = gradient
    pen.beginPath()
    pen.moveTo(x + height * 0.012, y - height * 0.04)
    pen.lineTo(end.x, end.y)
    pen.lineTo(x - height * 0.02, y + height * 0.035)
    pen.fill()
  })
  paintHalo(picture, x, y, height * 0.22, color, 0.9)
  paintHalo(picture, x, y, height * 0.07, [1, 1, 1], 1.6)
}
