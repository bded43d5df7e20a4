import type { DrawnObject } from './drawable.ts'

export const telescope: DrawnObject = {
  name: 'telescope',
  words: ['telescope', 'spyglass'],
  place: 'near',
  size: 0.19,
  breadth: 0.9,
  draw(brush) {
    for (const x of [-0.26, 0.02, 0.28]) brush.line('#3a3d44', 0.03, [0, -0.56], [x, 0])
    brush.pen.translate(0, -0.6)
    brush.pen.rotate(-0.6 * brush.side)
    brush.pen.scale(brush.side, 1)
    brush.box(brush.own('#c9a04a'), -0.34, -0.07, 0.4, 0.14)
    brush.box('#e8ecf1', 0.04, -0.09, 0.42, 0.18)
    brush.box('#2c2f35', -0.44, -0.045, 0.12, 0.09)
    brush.box('#2c2f35', 0.44, -0.1, 0.06, 0.2)
  },
}
