import type { DrawnObject } from './drawable.ts'

export const snowman: DrawnObject = {
  name: 'snowman',
  plural: 'snowmen',
  words: ['snowman', 'snowmen'],
  place: 'near',
  size: 0.2,
  breadth: 0.75,
  scenes: [['meadow', 0.6]],
  draw(brush) {
    for (const [y, radius] of [
      [-0.2, 0.23],
      [-0.52, 0.17],
      [-0.76, 0.125],
    ] as const)
      brush.oval('#f6f9fd', 0, y, radius, radius)
    brush.line('#5a3f2a', 0.018, [-0.15, -0.54], [-0.36, -0.68], [-0.4, -0.76])
    brush.line('#5a3f2a', 0.018, [0.15, -0.54], [0.36, -0.66], [0.42, -0.72])
    for (const y of [-0.46, -0.54, -0.61]) brush.oval('#23262c', 0, y, 0.016, 0.016)
    for (const x of [-0.042, 0.042]) brush.oval('#23262c', x, -0.79, 0.014, 0.016)
    brush.polygon('#ef7d22', [-0.01, -0.77], [-0.01, -0.735], [brush.side * 0.13, -0.745])
    brush.box('#24262d', -0.11, -1, 0.22, 0.13)
    brush.box('#24262d', -0.17, -0.885, 0.34, 0.026)
    const scarf = brush.own('#d7263d')
    brush.shape(scarf, -0.15, 0.15, (path) => path.ellipse(0, -0.655, 0.135, 0.038, 0, 0, 7))
    brush.polygon(scarf, [0.06, -0.65], [0.12, -0.64], [0.13, -0.44], [0.06, -0.45])
  },
}
