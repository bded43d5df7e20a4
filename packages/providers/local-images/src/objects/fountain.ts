import type { DrawnObject } from './drawable.ts'

export const fountain: DrawnObject = {
  name: 'fountain',
  words: ['fountain', 'water fountain', 'well', 'wishing well', 'birdbath'],
  place: 'near',
  size: 0.19,
  breadth: 1.3,
  draw(brush) {
    const stone = brush.own('#b9b3a8')
    brush.oval('#6f9fc0', 0, -0.14, 0.6, 0.1)
    brush.shape(stone, -0.66, 0.66, (path) => {
      path.moveTo(-0.66, -0.16)
      path.quadraticCurveTo(0, 0.06, 0.66, -0.16)
      path.lineTo(0.6, 0)
      path.quadraticCurveTo(0, 0.1, -0.6, 0)
    })
    brush.polygon(stone, [-0.07, -0.12], [-0.04, -0.52], [0.04, -0.52], [0.07, -0.12])
    brush.oval(stone, 0, -0.54, 0.3, 0.07)
    for (let jet = -3; jet <= 3; jet++) brush.arc('#d8ecf8', 0.018, [0, -0.62], [jet * 0.1, -1.1], [jet * 0.17, -0.18])
  },
}
