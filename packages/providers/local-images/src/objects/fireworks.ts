import { paintHalo } from '../landscape/stars.ts'
import { css, hex } from '../pixels/color.ts'
import { drawOver } from '../pixels/picture.ts'
import type { Paint } from './drawable.ts'

export const fireworks: Paint = ({ picture, random }, { x, y, height, colors }) => {
  const chance = random.fork(Math.round(x + y))
  const color = colors[0] ?? hex(chance.pick(['#ff5f6d', '#ffd166', '#6ee7ff', '#c58bff', '#7dff9b', '#ff9ff3']))
  const rays = 46
  paintHalo(picture, x, y, height * 0.7, color, 0.16)
  drawOver(picture, (pen) => {
    pen.lineCap = 'round'
    for (let ray = 0; ray < rays; ray++) {
      const turn = (ray / rays) * Math.PI * 2 + chance.between(-0.06, 0.06)
      const reach = (height / 2) * chance.between(0.62, 1)
      const tip = { x: x + Math.cos(turn) * reach, y: y + Math.sin(turn) * reach + reach * 0.16 }
      const gradient = pen.createLinearGradient(x, y, tip.x, tip.y)
      gradient.addColorStop(0.1, css(color, 0))
      gradient.addColorStop(0.75, css(color, 0.85))
      gradient.addColorStop(1, 'rgba(255,255,255,0.95)')
      pen.strokeStyle = gradient
      pen.lineWidth = height * 0.008
      pen.beginPath()
      pen.moveTo(x + Math.cos(turn) * reach * 0.16, y + Math.sin(turn) * reach * 0.16)
      pen.quadraticCurveTo(x + Math.cos(turn) * reach * 0.7, y + Math.sin(turn) * reach * 0.66, tip.x, tip.y)
      pen.stroke()
      pen.fillStyle = 'rgba(255,255,255,0.95)'
      pen.beginPath()
      pen.arc(tip.x, tip.y, height * 0.009, 0, Math.PI * 2)
      pen.fill()
    }
  })
}
