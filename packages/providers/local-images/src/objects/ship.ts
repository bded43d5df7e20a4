import type { DrawnObject } from './drawable.ts'
import { hull } from './hull.ts'

export const ship: DrawnObject = {
  name: 'ship',
  words: ['ship', 'steamer', 'ferry', 'cruise ship', 'cargo ship', 'steamship', 'vessel', 'trawler', 'ocean liner'],
  place: 'water',
  size: 0.2,
  breadth: 2,
  flock: 2,
  scenes: [['sea', 1.6]],
  draw(brush) {
    brush.pen.scale(brush.side, 1)
    for (let puff = 0; puff < 10; puff++) {
      brush.pen.fillStyle = `rgba(90,92,98,${0.3 - puff * 0.028})`
      brush.pen.beginPath()
      brush.pen.arc(-0.12 - puff * 0.09, -0.98 - puff * 0.03, 0.06 + puff * 0.018, 0, Math.PI * 2)
      brush.pen.fill()
    }
    for (const x of [-0.18, 0.12]) {
      brush.box(brush.own('#d7382d', 1), x, -0.92, 0.15, 0.34)
      brush.box('#23262d', x, -0.96, 0.15, 0.09)
    }
    for (let deck = 0; deck < 3; deck++) {
      brush.box('#f3f1ea', -0.6 + deck * 0.1, -0.4 - deck * 0.11, 1.14 - deck * 0.2, 0.12)
      for (let pane = 0; pane < 9 - deck; pane++)
        brush.window(-0.52 + deck * 0.1 + pane * 0.115, -0.37 - deck * 0.11, 0.05, 0.045)
    }
    hull(brush, brush.own('#27364d'), 0.92, 0.28)
    brush.line('#c8372d', 0.03, [-0.62, -0.012], [0.72, -0.012])
  },
}
