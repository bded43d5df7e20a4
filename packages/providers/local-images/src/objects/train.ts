import type { DrawnObject } from './drawable.ts'
import { wheel } from './wheel.ts'

export const train: DrawnObject = {
  name: 'train',
  words: ['train', 'steam train', 'locomotive', 'railway', 'railroad', 'steam engine'],
  place: 'far',
  size: 0.11,
  breadth: 5.4,
  scenes: [['meadow', 0.4]],
  draw(brush) {
    const paint = brush.own('#8c2f2a')
    brush.pen.scale(brush.side, 1)
    brush.box('#5a5148', -3, -0.05, 6, 0.06)
    for (let puff = 0; puff < 16; puff++) {
      brush.pen.fillStyle = `rgba(236,236,240,${0.5 - puff * 0.03})`
      brush.pen.beginPath()
      brush.pen.arc(2.1 - puff * 0.26, -1.16 - puff * 0.07, 0.13 + puff * 0.032, 0, Math.PI * 2)
      brush.pen.fill()
    }
    for (const left of [-2.7, -1.3]) {
      brush.box(paint, left, -0.78, 1.26, 0.62)
      brush.box('#3a3431', left - 0.04, -0.84, 1.34, 0.08)
      for (let pane = 0; pane < 5; pane++) brush.window(left + 0.1 + pane * 0.23, -0.66, 0.15, 0.2)
      for (const axle of [0.26, 1]) wheel(brush, left + axle, -0.12, 0.11)
    }
    brush.box('#23262b', 0.1, -0.92, 0.62, 0.78)
    brush.box('#15171b', 0.02, -0.98, 0.78, 0.08)
    brush.window(0.22, -0.8, 0.32, 0.24)
    brush.box(brush.own('#2b2f36', 1), 0.7, -0.66, 1.5, 0.46)
    brush.oval(brush.own('#2b2f36', 1), 2.2, -0.43, 0.1, 0.23)
    for (const band of [1, 1.4, 1.8]) brush.line('#c79a3a', 0.024, [band, -0.66], [band, -0.2])
    brush.polygon('#23262b', [1.95, -0.66], [1.9, -1.1], [2.26, -1.1], [2.18, -0.66])
    brush.polygon('#8c2f2a', [2.26, -0.22], [2.62, 0], [2.1, 0])
    for (const axle of [0.4, 0.95, 1.45, 1.95]) wheel(brush, axle, -0.15, 0.16)
    if (brush.lamps) brush.glow('#fff0c0', 2.3, -0.5, 0.9, 0.7)
  },
}
