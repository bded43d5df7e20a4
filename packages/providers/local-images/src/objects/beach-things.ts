import type { DrawnObject } from './drawable.ts'

export const parasol: DrawnObject = {
  name: 'parasol',
  words: ['umbrella', 'parasol', 'beach umbrella', 'sunshade'],
  place: 'near',
  size: 0.24,
  breadth: 1.2,
  foot: 0.3,
  flock: 3,
  draw(brush) {
    const cloth = brush.own(brush.random.pick(['#e23b52', '#2f8fe0', '#f3a320', '#148f8f']))
    const second = brush.own('#fff6e6', 1)
    brush.pen.rotate(0.1 * -brush.side)
    brush.line('#d8c9ae', 0.022, [0, 0.02], [0, -0.96])
    const edge = 0.6
    for (let panel = 0; panel < 6; panel++) {
      const left = -edge + panel * (edge / 3)
      const right = left + edge / 3
      brush.shape(panel % 2 ? second : cloth, -edge, edge, (path) => {
        path.moveTo(0, -1)
        path.quadraticCurveTo(left * 0.92, -0.92, left, -0.62)
        path.quadraticCurveTo((left + right) / 2, -0.7, right, -0.62)
        path.quadraticCurveTo(right * 0.92, -0.92, 0, -1)
      })
    }
    brush.oval(cloth, 0, -1, 0.024, 0.024)
  },
}

export const beachChair: DrawnObject = {
  name: 'deck chair',
  words: ['deck chair', 'beach chair', 'lounger', 'chair', 'sunbed', 'hammock'],
  place: 'near',
  size: 0.12,
  breadth: 1.4,
  flock: 2,
  draw(brush) {
    const cloth = brush.own('#2f8fe0')
    brush.pen.scale(brush.side, 1)
    brush.line('#a77a4c', 0.055, [-0.72, -0.3], [0.5, 0])
    brush.line('#a77a4c', 0.055, [-0.5, 0], [0.62, -0.98])
    for (const [tint, shift] of [
      [cloth, 0],
      ['#fdf7ea', 0.07],
      [cloth, 0.14],
    ] as const) {
      brush.arc(tint, 0.08, [-0.7 + shift, -0.32 - shift * 0.2], [-0.02 + shift, -0.1], [0.56 + shift, -0.96])
    }
    brush.line('#8a6238', 0.055, [0.62, -0.98], [0.8, -0.94])
  },
}

export const surfboard: DrawnObject = {
  name: 'surfboard',
  words: ['surfboard', 'surf board', 'paddleboard'],
  place: 'near',
  size: 0.26,
  breadth: 0.35,
  flock: 3,
  scenes: [['sea', 1]],
  draw(brush) {
    const board = brush.own(brush.random.pick(['#f3a320', '#2ec4c6', '#e86a92']))
    brush.pen.rotate(0.12 * brush.side)
    brush.shape(board, -0.13, 0.13, (path) => {
      path.moveTo(0, -1)
      path.bezierCurveTo(0.17, -0.7, 0.17, -0.2, 0.07, 0.02)
      path.lineTo(-0.07, 0.02)
      path.bezierCurveTo(-0.17, -0.2, -0.17, -0.7, 0, -1)
    })
    brush.line('#fdf7ea', 0.02, [0, -0.96], [0, 0])
    brush.line('#fdf7ea', 0.05, [-0.11, -0.6], [0.11, -0.44])
  },
}

export const sandcastle: DrawnObject = {
  name: 'sandcastle',
  words: ['sandcastle', 'sand castle'],
  place: 'near',
  size: 0.12,
  breadth: 1.4,
  scenes: [['sea', 1.2]],
  draw(brush) {
    const sand = brush.own('#d9b98a')
    brush.polygon(sand, [-0.7, 0.02], [-0.6, -0.3], [0.6, -0.3], [0.7, 0.02])
    for (const [x, height] of [
      [-0.48, 0.62],
      [0.48, 0.62],
      [0, 0.82],
    ] as const) {
      brush.polygon(sand, [x - 0.16, 0], [x - 0.13, -height], [x + 0.13, -height], [x + 0.16, 0])
      for (const tooth of [-0.12, -0.03, 0.06]) brush.box(sand, x + tooth, -height - 0.07, 0.06, 0.08)
    }
    brush.line('#6b4c30', 0.02, [0, -0.86], [0, -1.1])
    brush.polygon('#d7263d', [0, -1.1], [0.18, -1.04], [0, -0.98])
    brush.oval('#7a5f3c', 0, -0.1, 0.1, 0.14)
  },
}
