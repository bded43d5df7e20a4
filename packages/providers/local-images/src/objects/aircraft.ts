import type { DrawnObject } from './drawable.ts'

export const airplane: DrawnObject = {
  name: 'airplane',
  words: ['airplane', 'aeroplane', 'plane', 'jet', 'aircraft', 'airliner', 'biplane'],
  place: 'air',
  size: 0.1,
  breadth: 3,
  flock: 3,
  draw(brush) {
    const body = brush.own('#eef1f5')
    const trim = brush.own('#d7263d', 1)
    brush.pen.scale(brush.side, 1)
    brush.polygon(body, [-0.1, 0], [-0.72, -0.34], [-0.56, -0.34], [0.3, 0])
    brush.shape(body, -1.3, 1.3, (path) => {
      path.moveTo(1.3, 0.06)
      path.bezierCurveTo(1.15, -0.14, 0.9, -0.16, 0.6, -0.16)
      path.lineTo(-1.1, -0.12)
      path.quadraticCurveTo(-1.3, -0.06, -1.1, 0.02)
      path.bezierCurveTo(-0.6, 0.14, 0.5, 0.18, 0.9, 0.16)
      path.quadraticCurveTo(1.2, 0.16, 1.3, 0.06)
    })
    brush.polygon(trim, [-0.85, -0.12], [-1.28, -0.5], [-1.08, -0.5], [-0.62, -0.13])
    brush.polygon(body, [0.28, 0.06], [-0.42, 0.5], [-0.22, 0.5], [0.66, 0.06])
    for (let pane = 0; pane < 12; pane++) brush.box('#35506e', -0.6 + pane * 0.11, -0.08, 0.055, 0.05)
    brush.polygon('#27405a', [1, -0.08], [1.17, -0.02], [1.06, 0.03], [0.94, 0.02])
  },
}

export const airship: DrawnObject = {
  name: 'airship',
  words: ['airship', 'zeppelin', 'blimp', 'dirigible'],
  place: 'air',
  size: 0.15,
  breadth: 2.6,
  flock: 3,
  draw(brush) {
    const skin = brush.own('#c7ccd3')
    brush.polygon(brush.own('#8f3b2e', 1), [-1.15, -0.08], [-1.35, -0.5], [-0.9, -0.3])
    brush.polygon(brush.own('#8f3b2e', 1), [-1.15, 0.05], [-1.35, 0.36], [-0.9, 0.2])
    brush.oval(skin, 0, -0.06, 1.25, 0.38)
    for (const line of [-0.2, -0.06, 0.1])
      brush.arc('#8d949d', 0.008, [-1.2, -0.06 + line * 0.2], [0, line * 1.6], [1.2, -0.06 + line * 0.2])
    brush.polygon('#5a4636', [-0.3, 0.3], [0.4, 0.3], [0.3, 0.46], [-0.22, 0.46])
    for (let pane = 0; pane < 5; pane++) brush.window(-0.2 + pane * 0.11, 0.34, 0.06, 0.06)
  },
}

export const helicopter: DrawnObject = {
  name: 'helicopter',
  words: ['helicopter', 'chopper'],
  place: 'air',
  size: 0.12,
  breadth: 2.4,
  draw(brush) {
    const body = brush.own('#d8462f')
    brush.pen.scale(brush.side, 1)
    brush.polygon(body, [-0.2, -0.12], [-1.15, -0.2], [-1.15, -0.12], [-0.2, 0.16])
    brush.polygon(body, [-1.05, -0.16], [-1.25, -0.42], [-1.12, -0.42], [-0.95, -0.16])
    brush.oval(body, 0.15, 0.04, 0.46, 0.3)
    brush.shape('#9cc4de', 0.25, 0.6, (path) => path.ellipse(0.36, 0, 0.24, 0.2, 0, -1.5, 1.1))
    brush.line('#2b2f36', 0.03, [0.1, -0.24], [0.1, -0.38])
    brush.line('#2b2f36', 0.02, [-0.85, -0.4], [1.05, -0.36])
    brush.line('#2b2f36', 0.025, [-0.2, 0.44], [0.55, 0.44])
    for (const x of [0, 0.32]) brush.line('#2b2f36', 0.018, [x, 0.3], [x, 0.44])
  },
}
