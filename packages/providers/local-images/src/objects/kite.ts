import type { Point } from './brush.ts'
import type { DrawnObject } from './drawable.ts'

export const kite: DrawnObject = {
  name: 'kite',
  words: ['kite'],
  place: 'air',
  size: 0.2,
  breadth: 1,
  flock: 3,
  scenes: [['meadow', 0.6]],
  draw(brush) {
    const color = brush.own(brush.random.pick(['#e23b52', '#2f8fe0', '#f3a320', '#8a4fd0']))
    const second = brush.own('#ffd75a', 1)
    brush.pen.rotate(0.35 * brush.side)
    brush.polygon(color, [0, -0.5], [0.26, -0.18], [0, 0.22])
    brush.polygon(second, [0, -0.5], [-0.26, -0.18], [0, 0.22])
    brush.line('#4a3826', 0.008, [0, -0.5], [0, 0.22])
    brush.line('#4a3826', 0.008, [-0.26, -0.18], [0.26, -0.18])
    const tail: Point[] = [0, 1, 2, 3, 4, 5].map((knot) => [Math.sin(knot * 1.5) * 0.06, 0.22 + knot * 0.075])
    brush.line('#5a4636', 0.008, ...tail)
    for (const [x, y] of tail.slice(1)) {
      brush.polygon(color, [x, y], [x - 0.05, y - 0.025], [x - 0.05, y + 0.025])
      brush.polygon(second, [x, y], [x + 0.05, y - 0.025], [x + 0.05, y + 0.025])
    }
  },
}
