import type { DrawnObject } from './drawable.ts'

export const rocket: DrawnObject = {
  name: 'rocket',
  words: ['rocket', 'spaceship', 'space shuttle', 'rocket ship', 'spacecraft', 'starship', 'rocket launch'],
  place: 'air',
  size: 0.34,
  breadth: 0.9,
  flock: 3,
  scenes: [['space', 1.5]],
  draw(brush) {
    const hull = brush.own('#f0f2f5')
    const trim = brush.own('#d7263d', 1)
    brush.pen.rotate(0.5 * brush.side)
    brush.glow('#ff9a3c', 0, 0.44, 0.34, 0.6)
    flame(brush.pen, 0.11, 0.62, '#ff7a1a')
    flame(brush.pen, 0.065, 0.5, '#ffe9a8')
    for (const side of [-1, 1]) brush.polygon(trim, [side * 0.1, 0.06], [side * 0.24, 0.34], [side * 0.08, 0.27])
    brush.shape(hull, -0.14, 0.14, (path) => {
      path.moveTo(0, -0.5)
      path.bezierCurveTo(0.17, -0.3, 0.17, 0.02, 0.1, 0.3)
      path.lineTo(-0.1, 0.3)
      path.bezierCurveTo(-0.17, 0.02, -0.17, -0.3, 0, -0.5)
    })
    brush.shape(trim, -0.09, 0.09, (path) => {
      path.moveTo(0, -0.5)
      path.quadraticCurveTo(0.085, -0.4, 0.105, -0.29)
      path.lineTo(-0.105, -0.29)
      path.quadraticCurveTo(-0.085, -0.4, 0, -0.5)
    })
    brush.oval('#7d8792', 0, -0.13, 0.068, 0.068)
    brush.oval('#6fc3ef', 0, -0.13, 0.05, 0.05)
    brush.box('#8b939e', -0.075, 0.3, 0.15, 0.03)
    brush.polygon(trim, [-0.016, 0.08], [0.016, 0.08], [0.016, 0.34], [-0.016, 0.34])
  },
}

function flame(pen: Parameters<DrawnObject['draw']>[0]['pen'], width: number, tip: number, color: string): void {
  pen.fillStyle = color
  pen.beginPath()
  pen.moveTo(-width, 0.31)
  pen.quadraticCurveTo(-width * 1.3, 0.42, 0, tip)
  pen.quadraticCurveTo(width * 1.3, 0.42, width, 0.31)
  pen.fill()
}

export const satellite: DrawnObject = {
  name: 'satellite',
  words: ['satellite', 'space station', 'space probe', 'iss'],
  place: 'air',
  size: 0.15,
  breadth: 2.4,
  flock: 2,
  scenes: [['space', 1.5]],
  draw(brush) {
    brush.pen.rotate(-0.35 * brush.side)
    brush.line('#9aa3ad', 0.03, [-0.4, 0], [0.4, 0])
    for (const side of [-1, 1]) {
      for (let panel = 0; panel < 3; panel++) {
        const left = side > 0 ? 0.36 + panel * 0.27 : -0.61 - panel * 0.27
        brush.box('#274c9a', left, -0.22, 0.25, 0.44)
        for (const row of [-0.08, 0.07]) brush.line('#7fa3e6', 0.008, [left, row], [left + 0.25, row])
        brush.line('#7fa3e6', 0.008, [left + 0.125, -0.22], [left + 0.125, 0.22])
      }
    }
    brush.box(brush.own('#d9b45a'), -0.18, -0.26, 0.36, 0.52)
    brush.oval('#e8ebef', 0, 0.36, 0.2, 0.1)
    brush.line('#c5ccd4', 0.016, [0, 0.36], [0, 0.5])
  },
}

export const flyingSaucer: DrawnObject = {
  name: 'flying saucer',
  words: ['ufo', 'flying saucer', 'alien ship', 'alien spaceship', 'mothership'],
  place: 'air',
  size: 0.14,
  breadth: 2.4,
  flock: 3,
  draw(brush) {
    if (brush.lamps) brush.glow('#9dffd6', 0, 0.4, 0.7, 0.35)
    brush.oval('#a6e6ef', 0, -0.2, 0.42, 0.3)
    brush.oval(brush.own('#b5bcc8'), 0, 0.06, 1.15, 0.26)
    brush.oval('#767f8d', 0, 0.14, 0.7, 0.13)
    for (let lamp = -3; lamp <= 3; lamp++) {
      brush.glow('#ffe27a', lamp * 0.28, 0.08, 0.14, 0.5)
      brush.bright('#fff3b8', (path) => path.ellipse(lamp * 0.28, 0.08, 0.045, 0.04, 0, 0, 7))
    }
  },
}
