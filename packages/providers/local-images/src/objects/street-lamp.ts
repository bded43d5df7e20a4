import type { DrawnObject } from './drawable.ts'

export const streetLamp: DrawnObject = {
  name: 'street lamp',
  words: ['street lamp', 'lamp post', 'lamppost', 'streetlight', 'street light', 'gas lamp', 'streetlamp'],
  place: 'near',
  size: 0.36,
  breadth: 0.3,
  flock: 3,
  scenes: [['city', 0.8]],
  draw(brush) {
    const iron = brush.own('#2b3038')
    brush.polygon(iron, [-0.05, 0], [-0.02, -0.1], [0.02, -0.1], [0.05, 0])
    brush.box(iron, -0.013, -0.82, 0.026, 0.74)
    brush.line(iron, 0.014, [-0.06, -0.76], [0.06, -0.76])
    brush.bright(brush.lamps ? '#ffe9b0' : '#d5dfe6', (path) => {
      path.moveTo(-0.034, -0.82)
      path.lineTo(-0.055, -0.93)
      path.lineTo(0.055, -0.93)
      path.lineTo(0.034, -0.82)
    })
    brush.polygon(iron, [-0.066, -0.93], [0, -0.985], [0.066, -0.93])
    brush.oval(iron, 0, -0.99, 0.012, 0.014)
    if (brush.lamps) brush.glow('#ffcf7a', 0, -0.88, 0.55, 0.62)
  },
}
