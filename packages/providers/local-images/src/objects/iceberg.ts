import type { DrawnObject } from './drawable.ts'

export const iceberg: DrawnObject = {
  name: 'iceberg',
  words: ['iceberg', 'ice floe', 'ice berg'],
  place: 'water',
  size: 0.24,
  breadth: 1.5,
  flock: 3,
  scenes: [['sea', 1.5]],
  draw(brush) {
    brush.polygon(
      '#dbeefb',
      [-0.72, 0.02],
      [-0.6, -0.3],
      [-0.4, -0.42],
      [-0.3, -0.78],
      [-0.08, -1],
      [0.1, -0.7],
      [0.34, -0.6],
      [0.52, -0.24],
      [0.74, 0.02],
    )
    brush.polygon('#a9cfea', [-0.08, -1], [0.1, -0.7], [0.02, -0.3], [0.16, 0.02], [-0.16, 0.02], [-0.12, -0.5])
    brush.polygon('#c3e0f4', [0.34, -0.6], [0.52, -0.24], [0.74, 0.02], [0.36, 0.02], [0.28, -0.3])
    brush.polygon('#f6fbff', [-0.3, -0.78], [-0.08, -1], [-0.12, -0.62], [-0.36, -0.36], [-0.4, -0.42])
  },
}
