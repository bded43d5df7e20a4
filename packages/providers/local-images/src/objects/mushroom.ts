import type { DrawnObject } from './drawable.ts'

export const mushroom: DrawnObject = {
  name: 'mushroom',
  words: ['mushroom', 'toadstool', 'fungus', 'fly agaric'],
  place: 'near',
  size: 0.1,
  breadth: 0.9,
  flock: 6,
  scenes: [['forest', 1.2]],
  draw(brush) {
    brush.shape('#efe6d6', -0.14, 0.14, (path) => {
      path.moveTo(-0.1, -0.5)
      path.quadraticCurveTo(-0.09, -0.2, -0.15, 0.02)
      path.lineTo(0.15, 0.02)
      path.quadraticCurveTo(0.09, -0.2, 0.1, -0.5)
    })
    brush.oval('#d8c6ae', 0, -0.5, 0.36, 0.07)
    brush.shape(brush.own('#c8332b'), -0.45, 0.45, (path) => {
      path.moveTo(-0.45, -0.48)
      path.bezierCurveTo(-0.42, -1.1, 0.42, -1.1, 0.45, -0.48)
      path.quadraticCurveTo(0, -0.6, -0.45, -0.48)
    })
    for (const [x, y, size] of [
      [-0.22, -0.66, 0.06],
      [0.02, -0.82, 0.065],
      [0.24, -0.66, 0.05],
      [0.04, -0.62, 0.045],
    ] as const)
      brush.oval('#fbf4e8', x, y, size, size * 0.78)
  },
}
