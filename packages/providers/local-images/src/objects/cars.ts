import type { DrawnObject } from './drawable.ts'
import { wheel } from './wheel.ts'

export const car: DrawnObject = {
  name: 'car',
  words: ['car', 'automobile', 'taxi', 'cab', 'sports car', 'convertible', 'sedan', 'vintage car', 'old car'],
  place: 'near',
  size: 0.12,
  breadth: 2.7,
  flock: 2,
  scenes: [['city', 0.6]],
  draw(brush) {
    const paint = brush.own(brush.random.pick(['#c8372d', '#2f6fb0', '#e8b545', '#3d8a78']))
    brush.pen.scale(brush.side, 1)
    brush.shape(paint, -1.3, 1.3, (path) => {
      path.moveTo(-1.28, -0.2)
      path.quadraticCurveTo(-1.34, -0.56, -1.05, -0.58)
      path.lineTo(-0.78, -0.6)
      path.bezierCurveTo(-0.6, -0.92, -0.4, -1, -0.1, -1)
      path.bezierCurveTo(0.3, -1, 0.42, -0.88, 0.62, -0.62)
      path.quadraticCurveTo(1.18, -0.58, 1.28, -0.4)
      path.lineTo(1.3, -0.2)
    })
    for (const [left, right, tip] of [
      [-0.62, -0.12, -0.42],
      [-0.04, 0.48, 0.24],
    ] as const) {
      brush.polygon(
        '#a9cbe0',
        [left, -0.6],
        [tip < 0 ? tip : left + 0.02, -0.9],
        [tip < 0 ? right : tip, -0.9],
        [right, -0.6],
      )
    }
    brush.line('#2c3036', 0.02, [-1.26, -0.3], [1.28, -0.3])
    for (const x of [-0.78, 0.78]) wheel(brush, x, -0.2, 0.21)
    brush.oval('#fff1c4', 1.24, -0.42, 0.06, 0.07)
    brush.oval('#ff5a44', -1.27, -0.42, 0.04, 0.07)
    if (brush.lamps) brush.glow('#fff0c0', 1.3, -0.4, 0.8, 0.55)
  },
}

export const bus: DrawnObject = {
  name: 'bus',
  plural: 'buses',
  words: ['bus', 'tram', 'streetcar', 'camper', 'van', 'camper van', 'truck', 'trolley'],
  place: 'near',
  size: 0.18,
  breadth: 2.1,
  flock: 2,
  scenes: [['city', 0.6]],
  draw(brush) {
    const paint = brush.own('#d7463a')
    brush.shape(paint, -1, 1, (path) => path.roundRect(-1, -1, 2, 0.86, 0.12))
    brush.box(brush.own('#f4ecdc', 1), -1, -0.5, 2, 0.1)
    for (let pane = 0; pane < 6; pane++) brush.window(-0.92 + pane * 0.31, -0.88, 0.26, 0.3, '#ffe6ae')
    for (const x of [-0.6, 0.6]) wheel(brush, x, -0.13, 0.15)
    brush.oval('#fff1c4', brush.side * 0.95, -0.3, 0.05, 0.06)
    if (brush.lamps) brush.glow('#fff0c0', brush.side * 1, -0.3, 0.5, 0.55)
  },
}
