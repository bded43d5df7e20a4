import { battlements } from './battlements.ts'
import type { DrawnObject } from './drawable.ts'

export const tower: DrawnObject = {
  name: 'tower',
  words: ['tower', 'watchtower', 'bell tower', 'stone tower'],
  place: 'far',
  size: 0.36,
  breadth: 0.4,
  flock: 2,
  draw(brush) {
    const stone = brush.own('#a29a8e')
    brush.polygon(stone, [-0.13, 0], [-0.105, -0.76], [0.105, -0.76], [0.13, 0])
    for (let course = 1; course < 12; course++)
      brush.line('#7d766c', 0.004, [-0.12, -course * 0.062], [0.12, -course * 0.062])
    brush.box(stone, -0.14, -0.82, 0.28, 0.07)
    battlements(brush, -0.145, 0.145, -0.82, stone)
    brush.polygon(brush.own('#7a3b30', 1), [-0.12, -0.83], [0, -1], [0.12, -0.83])
    for (const y of [-0.66, -0.44, -0.22]) brush.window(-0.022, y, 0.044, 0.08)
    brush.box('#3f2d22', -0.045, -0.11, 0.09, 0.11)
  },
}

export const clockTower: DrawnObject = {
  name: 'clock tower',
  words: ['clock tower', 'big ben', 'clock'],
  place: 'far',
  size: 0.42,
  breadth: 0.3,
  scenes: [['city', 0.6]],
  draw(brush) {
    const stone = brush.own('#c2a878')
    brush.box(stone, -0.085, -0.72, 0.17, 0.72)
    for (const x of [-0.045, 0, 0.045]) brush.line('#8f7a54', 0.006, [x, 0], [x, -0.6])
    brush.box(stone, -0.1, -0.76, 0.2, 0.16)
    brush.bright('#fff6dc', (path) => path.arc(0, -0.68, 0.062, 0, 7))
    brush.line('#2b2622', 0.008, [0, -0.68], [0, -0.725])
    brush.line('#2b2622', 0.008, [0, -0.68], [0.03, -0.668])
    brush.polygon('#4a5a52', [-0.1, -0.76], [-0.06, -0.86], [0.06, -0.86], [0.1, -0.76])
    brush.polygon('#4a5a52', [-0.05, -0.86], [0, -1], [0.05, -0.86])
    if (brush.lamps) brush.glow('#ffe6a8', 0, -0.68, 0.16, 0.4)
  },
}
