import type { DrawnObject } from './drawable.ts'

export const flag: DrawnObject = {
  name: 'flag',
  words: ['flag', 'banner', 'pennant', 'flagpole'],
  place: 'near',
  size: 0.34,
  breadth: 0.5,
  flock: 3,
  draw(brush) {
    brush.line('#cfd4da', 0.018, [0, 0], [0, -1])
    const side = -brush.side
    brush.shape(brush.own('#d7263d'), Math.min(0, side * 0.36), Math.max(0, side * 0.36), (path) => {
      path.moveTo(0, -0.98)
      path.bezierCurveTo(side * 0.12, -1.04, side * 0.24, -0.9, side * 0.37, -0.96)
      path.lineTo(side * 0.36, -0.76)
      path.bezierCurveTo(side * 0.24, -0.7, side * 0.12, -0.84, 0, -0.77)
    })
  },
}
