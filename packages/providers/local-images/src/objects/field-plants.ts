import type { DrawnObject } from './drawable.ts'

export const reeds: DrawnObject = {
  name: 'clump of reeds',
  plural: 'clumps of reeds',
  words: ['reed', 'cattail', 'bulrush', 'rush'],
  place: 'near',
  size: 0.24,
  breadth: 0.7,
  flock: 4,
  draw(brush) {
    for (let blade = 0; blade < 26; blade++) {
      const x = brush.random.between(-0.26, 0.26)
      const lean = x * 0.5 + brush.random.between(-0.12, 0.12)
      const height = brush.random.between(0.55, 0.95)
      brush.arc(
        brush.own(blade % 2 ? '#6d8a3f' : '#4f6b32'),
        0.014,
        [x, 0.02],
        [x + lean * 0.2, -height * 0.6],
        [x + lean, -height],
      )
      if (blade % 5 === 0) brush.oval('#6b4424', x + lean, -height - 0.02, 0.019, 0.075, lean * 0.6)
    }
  },
}

export const pumpkin: DrawnObject = {
  name: 'pumpkin',
  words: ['pumpkin', 'jack o lantern', 'gourd', 'squash'],
  groups: ['pumpkin patch', 'patch of pumpkin'],
  place: 'near',
  size: 0.09,
  breadth: 1.3,
  flock: 5,
  scenes: [['meadow', 0.6]],
  draw(brush) {
    const rind = brush.own('#e57a1f')
    for (const [x, width] of [
      [-0.34, 0.3],
      [0.34, 0.3],
      [-0.18, 0.3],
      [0.18, 0.3],
      [0, 0.26],
    ] as const)
      brush.oval(rind, x, -0.42, width, 0.43)
    for (const x of [-0.14, 0.14]) brush.arc('#b6551a', 0.02, [x * 0.5, -0.82], [x * 2.4, -0.42], [x * 0.7, -0.03])
    brush.line('#5f7a35', 0.1, [0, -0.82], [0.06, -1])
  },
}

export const haystack: DrawnObject = {
  name: 'hay bale',
  words: ['hay bale', 'haystack', 'hay', 'straw bale', 'bale of hay'],
  place: 'near',
  size: 0.12,
  breadth: 1.3,
  flock: 4,
  scenes: [['meadow', 1]],
  draw(brush) {
    const straw = brush.own('#d9b45a')
    brush.oval(straw, -0.24, -0.5, 0.34, 0.5)
    brush.box(straw, -0.24, -1, 0.5, 1)
    brush.oval('#e6c878', 0.26, -0.5, 0.38, 0.5)
    for (let ring = 1; ring < 5; ring++) {
      brush.pen.strokeStyle = brush.shaded('#b08d3e', 0, 0.6)
      brush.pen.lineWidth = 0.018
      brush.pen.beginPath()
      brush.pen.ellipse(0.26, -0.5, 0.075 * ring, 0.1 * ring, 0, 0, Math.PI * 2)
      brush.pen.stroke()
    }
  },
}
