import type { DrawnObject } from './drawable.ts'
import { hull } from './hull.ts'

export const sailboat: DrawnObject = {
  name: 'sailing boat',
  words: ['sailboat', 'sailing boat', 'sail boat', 'yacht', 'sail', 'sailing ship', 'dinghy', 'sailing yacht'],
  place: 'water',
  size: 0.24,
  breadth: 0.85,
  flock: 3,
  scenes: [['sea', 1.5]],
  draw(brush) {
    const sail = brush.own('#f8f3e8')
    brush.pen.scale(brush.side, 1)
    brush.line('#5b4330', 0.014, [0, -0.12], [0, -1])
    brush.shape(sail, 0.02, 0.44, (path) => {
      path.moveTo(0.02, -0.97)
      path.quadraticCurveTo(0.4, -0.55, 0.42, -0.19)
      path.lineTo(0.02, -0.19)
    })
    brush.shape(brush.own(sail, 1), -0.34, -0.02, (path) => {
      path.moveTo(-0.02, -0.88)
      path.quadraticCurveTo(-0.24, -0.5, -0.34, -0.19)
      path.lineTo(-0.02, -0.2)
    })
    brush.polygon('#d7463a', [0, -1], [-0.11, -0.97], [0, -0.94])
    hull(brush, brush.own('#8c3f2e', 2), 0.46, 0.13)
  },
}

export const tallShip: DrawnObject = {
  name: 'tall ship',
  words: ['tall ship', 'pirate ship', 'galleon', 'frigate', 'schooner', 'old ship', 'viking ship'],
  place: 'water',
  size: 0.34,
  breadth: 1.1,
  scenes: [['sea', 1.8]],
  draw(brush) {
    const canvas = brush.own('#efe3c8')
    brush.pen.scale(brush.side, 1)
    brush.line('#4a3524', 0.016, [0.4, -0.16], [0.66, -0.3])
    for (const [x, top] of [
      [-0.28, 0.8],
      [0.02, 1],
      [0.3, 0.84],
    ] as const) {
      brush.line('#4a3524', 0.016, [x, -0.1], [x, -top])
      for (let row = 0; row < 3; row++) {
        const upper = -top + 0.06 + row * (top - 0.26) * 0.33
        const lower = upper + (top - 0.26) * 0.29
        const half = 0.075 + row * 0.022
        brush.shape(canvas, x - half, x + half + 0.05, (path) => {
          path.moveTo(x - half, upper)
          path.lineTo(x + half, upper)
          path.quadraticCurveTo(x + half + 0.075, (upper + lower) / 2, x + half + 0.02, lower)
          path.lineTo(x - half - 0.01, lower)
          path.quadraticCurveTo(x - half + 0.05, (upper + lower) / 2, x - half, upper)
        })
      }
    }
    brush.polygon(canvas, [0.33, -0.72], [0.62, -0.3], [0.36, -0.3])
    hull(brush, brush.own('#5d3a24', 1), 0.44, 0.13)
    brush.polygon('#5d3a24', [-0.46, -0.14], [-0.5, -0.26], [-0.3, -0.23], [-0.28, -0.11])
    for (let port = -2; port <= 3; port++) brush.box('#2b1c12', port * 0.09 - 0.06, -0.075, 0.03, 0.026)
  },
}
