import type { DrawnObject } from './drawable.ts'

export const campfire: DrawnObject = {
  name: 'campfire',
  words: ['campfire', 'bonfire', 'fire', 'camp fire', 'flame'],
  place: 'near',
  size: 0.1,
  draw(brush) {
    brush.glow('#ff9a3c', 0, -0.35, brush.lamps ? 2.6 : 1.3, brush.lamps ? 0.6 : 0.3)
    for (let stone = -3; stone <= 3; stone++) brush.oval('#6d6862', stone * 0.17, 0.02, 0.1, 0.07)
    brush.line('#4a2f1d', 0.09, [-0.4, -0.02], [0.32, -0.16])
    brush.line('#5a3a24', 0.09, [0.4, -0.02], [-0.3, -0.18])
    for (const [tint, width, tip] of [
      ['#f2641c', 0.34, 1],
      ['#ff9d2e', 0.25, 0.76],
      ['#ffdf7a', 0.14, 0.5],
    ] as const) {
      brush.bright(tint, (path) => {
        path.moveTo(-width, -0.1)
        path.bezierCurveTo(-width * 1.2, -tip * 0.5, -width * 0.2, -tip * 0.5, width * 0.12, -tip)
        path.bezierCurveTo(width * 0.3, -tip * 0.6, width * 1.3, -tip * 0.45, width, -0.1)
        path.quadraticCurveTo(0, 0.02, -width, -0.1)
      })
    }
    for (let spark = 0; spark < 12; spark++) {
      const x = brush.random.between(-0.4, 0.4)
      const y = brush.random.between(-1.7, -0.9)
      brush.bright('#ffc46a', (path) => path.arc(x, y, 0.016, 0, 7), 0.85)
    }
  },
}

export const lantern: DrawnObject = {
  name: 'lantern',
  words: ['lantern', 'lamp', 'oil lamp', 'candle'],
  place: 'near',
  size: 0.11,
  breadth: 0.6,
  flock: 4,
  draw(brush) {
    brush.glow('#ffc04d', 0, -0.4, brush.lamps ? 1.8 : 0.9, brush.lamps ? 0.6 : 0.28)
    brush.arc('#2c2c30', 0.03, [-0.16, -0.74], [0, -1.2], [0.16, -0.74])
    brush.polygon(brush.own('#33363d'), [-0.22, -0.68], [-0.1, -0.84], [0.1, -0.84], [0.22, -0.68])
    brush.bright('#ffe3a0', (path) => path.rect(-0.16, -0.68, 0.32, 0.52), 0.92)
    brush.bright('#ff9d2e', (path) => path.ellipse(0, -0.36, 0.05, 0.14, 0, 0, 7))
    for (const x of [-0.17, -0.02, 0.13]) brush.box(brush.own('#33363d'), x, -0.68, 0.04, 0.52)
    brush.box(brush.own('#33363d'), -0.24, -0.16, 0.48, 0.16)
  },
}

export const logPile: DrawnObject = {
  name: 'log',
  words: ['log', 'fallen log', 'firewood', 'tree trunk', 'stump', 'tree stump', 'driftwood'],
  place: 'near',
  size: 0.06,
  breadth: 3.2,
  flock: 2,
  draw(brush) {
    brush.box(brush.own('#6d4e36'), -1.4, -0.86, 2.7, 0.86)
    brush.oval('#6d4e36', -1.4, -0.43, 0.2, 0.43)
    brush.oval('#c8a173', 1.3, -0.43, 0.22, 0.43)
    for (const ring of [0.14, 0.08]) brush.oval('#9c774e', 1.3, -0.43, ring, ring * 1.95)
    for (let mark = 0; mark < 9; mark++)
      brush.line(
        '#4a3424',
        0.03,
        [-1.2 + mark * 0.26, -0.7 + (mark % 3) * 0.22],
        [-1.02 + mark * 0.26, -0.7 + (mark % 3) * 0.22],
      )
    if (brush.snowy) brush.oval('#f6faff', -0.1, -0.86, 1.35, 0.14)
    else brush.oval('#6b8f45', -0.5, -0.84, 0.7, 0.1)
  },
}

export const rocks: DrawnObject = {
  name: 'boulder',
  words: ['boulder', 'big rock', 'large rock', 'standing stone', 'monolith'],
  place: 'near',
  size: 0.12,
  breadth: 1.6,
  flock: 3,
  draw(brush) {
    const stone = brush.own('#8b8680')
    brush.polygon(stone, [-0.8, 0.02], [-0.66, -0.5], [-0.24, -0.96], [0.2, -1], [0.6, -0.62], [0.84, 0.02])
    brush.polygon('#6d6862', [0.2, -1], [0.6, -0.62], [0.84, 0.02], [0.2, 0.02], [0.34, -0.5])
    brush.polygon('#a8a29a', [-0.24, -0.96], [0.2, -1], [0.34, -0.5], [-0.1, -0.6])
    brush.line('#57534e', 0.014, [-0.5, -0.3], [-0.1, -0.6], [-0.24, -0.96])
    if (brush.snowy)
      brush.polygon('#f6faff', [-0.44, -0.76], [-0.24, -1], [0.2, -1.04], [0.46, -0.78], [0.1, -0.88], [-0.14, -0.82])
  },
}
