import type { DrawnObject } from './drawable.ts'

export const rowboat: DrawnObject = {
  name: 'boat',
  words: ['boat', 'rowboat', 'rowing boat', 'fishing boat', 'canoe', 'gondola', 'kayak', 'raft', 'wooden boat'],
  place: 'water',
  size: 0.085,
  breadth: 3.2,
  flock: 3,
  scenes: [['sea', 1]],
  draw(brush) {
    brush.pen.scale(brush.side, 1)
    brush.shape('#2f2018', -1.1, 1.1, (path) => {
      path.moveTo(-1.2, -0.72)
      path.quadraticCurveTo(0, -0.4, 1.3, -0.85)
      path.quadraticCurveTo(0, -0.1, -1.2, -0.72)
    })
    brush.line('#c99a62', 0.06, [0.1, -0.46], [0.85, -0.12], [1.25, 0.06])
    brush.shape(brush.own('#9a5a34'), -1.3, 1.3, (path) => {
      path.moveTo(-1.26, -0.74)
      path.quadraticCurveTo(-1, 0.02, -0.66, 0.04)
      path.lineTo(0.7, 0.04)
      path.quadraticCurveTo(1.1, 0, 1.36, -0.88)
      path.quadraticCurveTo(0, -0.24, -1.26, -0.74)
    })
    brush.arc('#e3c08d', 0.05, [-1.24, -0.73], [0, -0.24], [1.34, -0.86])
    for (const seat of [-0.5, 0.2]) brush.line('#c99a62', 0.07, [seat, -0.5], [seat + 0.34, -0.5])
  },
}

export const buoy: DrawnObject = {
  name: 'buoy',
  words: ['buoy'],
  place: 'water',
  size: 0.09,
  breadth: 0.8,
  scenes: [['sea', 0.8]],
  draw(brush) {
    const red = brush.own('#d7382d')
    brush.polygon(red, [-0.12, -0.2], [-0.05, -0.78], [0.05, -0.78], [0.12, -0.2])
    brush.polygon('#f4f1ea', [-0.095, -0.4], [-0.075, -0.56], [0.075, -0.56], [0.095, -0.4])
    brush.oval(red, 0, -0.12, 0.36, 0.16)
    brush.oval('#ffd36a', 0, -0.86, 0.07, 0.08)
    if (brush.lamps) brush.glow('#ffd36a', 0, -0.86, 0.5, 0.7)
  },
}
