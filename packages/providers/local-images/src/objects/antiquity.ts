import type { Brush } from './brush.ts'
import type { DrawnObject } from './drawable.ts'

export const pyramid: DrawnObject = {
  name: 'pyramid',
  words: ['pyramid', 'great pyramid', 'giza'],
  place: 'far',
  size: 0.26,
  breadth: 1.8,
  flock: 3,
  scenes: [['desert', 2]],
  draw(brush) {
    const sand = brush.own('#d9ad6c')
    const ridge = -brush.side * 0.2
    brush.pen.fillStyle = brush.shaded(sand, -1, 1, brush.side < 0 ? 0.75 : 0.12)
    facet(brush, [-0.82, 0], [0, -1], [ridge, 0.02])
    brush.pen.fillStyle = brush.shaded(sand, -1, 1, brush.side < 0 ? 0.12 : 0.75)
    facet(brush, [0.82, 0], [0, -1], [ridge, 0.02])
    for (let course = 1; course < 16; course++) {
      const share = course / 16
      brush.line(
        '#a57e4a',
        0.003,
        [-0.82 * share, -1 + share],
        [ridge * share, -1 + share + 0.02 * share],
        [0.82 * share, -1 + share],
      )
    }
  },
}

function facet(
  { pen }: Brush,
  a: readonly [number, number],
  b: readonly [number, number],
  c: readonly [number, number],
) {
  pen.beginPath()
  pen.moveTo(...a)
  pen.lineTo(...b)
  pen.lineTo(...c)
  pen.fill()
}

export const ruins: DrawnObject = {
  name: 'ruined temple',
  words: ['ruin', 'ancient ruin', 'ruined temple', 'greek temple', 'column', 'acropolis', 'colonnade'],
  place: 'far',
  size: 0.2,
  breadth: 1.6,
  draw(brush) {
    const stone = brush.own('#d9cfbb')
    brush.box(stone, -0.78, -0.09, 1.56, 0.09)
    const heights = [0.62, 0.62, 0.62, 0.62, 0.4, 0.62, 0.22]
    heights.forEach((height, column) => {
      const x = -0.68 + column * 0.226
      brush.box(stone, x - 0.045, -0.09 - height, 0.09, height)
      for (const flute of [-0.02, 0.015]) brush.line('#a79d89', 0.006, [x + flute, -0.1], [x + flute, -0.08 - height])
      if (height > 0.6) brush.box(stone, x - 0.065, -0.74, 0.13, 0.04)
    })
    brush.polygon(stone, [-0.78, -0.74], [0.12, -0.74], [0.1, -0.83], [-0.78, -0.83])
    brush.polygon(stone, [-0.8, -0.83], [-0.5, -1], [-0.02, -0.9], [0.06, -0.83])
  },
}
