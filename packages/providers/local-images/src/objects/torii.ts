import type { DrawnObject } from './drawable.ts'

export const torii: DrawnObject = {
  name: 'torii gate',
  words: ['torii', 'torii gate', 'japanese gate', 'shrine gate'],
  place: 'far',
  size: 0.24,
  breadth: 1.2,
  draw(brush) {
    const red = brush.own('#c8402d')
    for (const x of [-0.4, 0.4])
      brush.polygon(red, [x - 0.055, 0.02], [x - 0.04, -0.8], [x + 0.04, -0.8], [x + 0.055, 0.02])
    brush.box(red, -0.52, -0.66, 1.04, 0.07)
    brush.box(red, -0.04, -0.82, 0.08, 0.18)
    brush.shape('#33231f', -0.72, 0.72, (path) => {
      path.moveTo(-0.72, -1)
      path.quadraticCurveTo(0, -0.84, 0.72, -1)
      path.lineTo(0.68, -0.84)
      path.quadraticCurveTo(0, -0.76, -0.68, -0.84)
    })
    brush.shape(red, -0.64, 0.64, (path) => {
      path.moveTo(-0.66, -0.86)
      path.quadraticCurveTo(0, -0.79, 0.66, -0.86)
      path.lineTo(0.62, -0.78)
      path.quadraticCurveTo(0, -0.74, -0.62, -0.78)
    })
  },
}
