import type { DrawnObject } from './drawable.ts'

export const bench: DrawnObject = {
  name: 'bench',
  plural: 'benches',
  words: ['bench', 'park bench', 'wooden bench', 'seat'],
  place: 'near',
  size: 0.11,
  breadth: 1.9,
  flock: 2,
  draw(brush) {
    const wood = brush.own('#8a5c38')
    for (const x of [-0.78, 0.7]) {
      brush.line('#2c2f35', 0.06, [x, 0], [x, -0.48])
      brush.line('#2c2f35', 0.06, [x + 0.08, -0.48], [x + 0.08, -1])
      brush.line('#2c2f35', 0.05, [x - 0.06, -0.64], [x + 0.1, -0.64])
    }
    for (const y of [-0.98, -0.82, -0.66]) brush.box(wood, -0.9, y, 1.8, 0.11)
    brush.polygon(wood, [-0.96, -0.42], [-0.86, -0.54], [0.86, -0.54], [0.96, -0.42])
    if (brush.snowy) brush.box('#f6faff', -0.9, -1.03, 1.8, 0.06)
  },
}

export const fence: DrawnObject = {
  name: 'fence',
  words: ['fence', 'wooden fence', 'picket fence', 'gate', 'railing'],
  place: 'near',
  size: 0.1,
  breadth: 7,
  draw(brush) {
    const wood = brush.own('#b59a78')
    for (const y of [-0.72, -0.36]) brush.box(wood, -3.6, y, 7.2, 0.1)
    for (let post = 0; post <= 9; post++) {
      const x = -3.6 + post * 0.8
      brush.polygon(wood, [x - 0.07, 0.04], [x - 0.07, -0.9], [x, -1], [x + 0.07, -0.9], [x + 0.07, 0.04])
      if (brush.snowy) brush.oval('#f6faff', x, -1, 0.11, 0.07)
    }
  },
}

export const signpost: DrawnObject = {
  name: 'signpost',
  words: ['signpost', 'sign', 'road sign', 'guidepost', 'wooden sign'],
  place: 'near',
  size: 0.2,
  breadth: 0.7,
  foot: 0.12,
  draw(brush) {
    const wood = brush.own('#9a7148')
    brush.box('#6b4c30', -0.03, -1, 0.06, 1)
    brush.polygon(wood, [-0.1, -0.92], [0.3, -0.92], [0.38, -0.83], [0.3, -0.74], [-0.1, -0.74])
    brush.polygon(wood, [0.1, -0.68], [-0.28, -0.68], [-0.36, -0.59], [-0.28, -0.5], [0.1, -0.5])
    for (const y of [-0.83, -0.59]) brush.line('#5d4229', 0.012, [-0.14, y], [0.2, y])
  },
}

export const mailbox: DrawnObject = {
  name: 'mailbox',
  plural: 'mailboxes',
  words: ['mailbox', 'letterbox', 'post box', 'postbox', 'letter box'],
  place: 'near',
  size: 0.13,
  breadth: 0.6,
  draw(brush) {
    const paint = brush.own('#c8372d')
    brush.box('#6b4c30', -0.05, -0.6, 0.1, 0.6)
    brush.shape(paint, -0.3, 0.3, (path) => {
      path.moveTo(-0.3, -0.58)
      path.lineTo(-0.3, -0.8)
      path.bezierCurveTo(-0.3, -1.04, 0.3, -1.04, 0.3, -0.8)
      path.lineTo(0.3, -0.58)
    })
    brush.box('#f2c230', 0.18, -0.98, 0.035, 0.2)
    brush.line('#5d1a16', 0.014, [-0.18, -0.76], [0.1, -0.76])
  },
}
