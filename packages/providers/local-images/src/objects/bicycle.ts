import type { Brush } from './brush.ts'
import type { DrawnObject } from './drawable.ts'

export const bicycle: DrawnObject = {
  name: 'bicycle',
  words: ['bicycle', 'bike', 'cycle'],
  place: 'near',
  size: 0.17,
  breadth: 1.7,
  flock: 2,
  draw(brush) {
    const frame = brush.own('#c8372d')
    brush.pen.scale(brush.side, 1)
    for (const x of [-0.52, 0.52]) {
      rim(brush, x)
      for (let spoke = 0; spoke < 8; spoke++) {
        const turn = (spoke * Math.PI) / 8
        const dx = Math.cos(turn) * 0.32
        const dy = Math.sin(turn) * 0.32
        brush.line('#b9bfc8', 0.008, [x - dx, -0.34 - dy], [x + dx, -0.34 - dy * -1])
      }
    }
    brush.line(frame, 0.045, [-0.52, -0.34], [-0.06, -0.3], [0.36, -0.78], [-0.2, -0.74], [-0.52, -0.34])
    brush.line(frame, 0.045, [-0.06, -0.3], [-0.22, -0.82])
    brush.line(frame, 0.045, [0.52, -0.34], [0.34, -0.92])
    brush.line('#2b2622', 0.06, [-0.34, -0.86], [-0.12, -0.86])
    brush.line('#2b2622', 0.045, [0.24, -0.96], [0.42, -0.98])
    brush.oval('#3a3d44', -0.06, -0.3, 0.07, 0.07)
  },
}

function rim({ pen, shaded }: Brush, x: number): void {
  pen.strokeStyle = shaded('#24262b', x - 0.34, x + 0.34)
  pen.lineWidth = 0.045
  pen.beginPath()
  pen.arc(x, -0.34, 0.33, 0, Math.PI * 2)
  pen.stroke()
}
