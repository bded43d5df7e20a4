import type { Brush } from './brush.ts'
import type { DrawnObject } from './drawable.ts'
import { gable, smoke } from './roofed.ts'

export const cabin: DrawnObject = {
  name: 'cabin',
  words: ['cabin', 'log cabin', 'hut', 'lodge', 'chalet', 'shack', 'shed', 'boathouse'],
  place: 'far',
  size: 0.16,
  breadth: 1.5,
  flock: 3,
  scenes: [
    ['mountain', 1],
    ['forest', 0.8],
  ],
  draw(brush) {
    const wood = brush.own('#6e4a30')
    smoke(brush, 0.32, -1)
    brush.box('#6b6763', 0.26, -1, 0.12, 0.42)
    brush.box(wood, -0.56, -0.52, 1.12, 0.52)
    for (let log = 1; log < 7; log++)
      brush.line('#3e2a1c', 0.01, [-0.56, -0.52 + log * 0.075], [0.56, -0.52 + log * 0.075])
    gable(brush, wood, { left: -0.56, right: 0.56, eaves: -0.5, ridge: -0.92 })
    roofSlabs(brush, '#3a2c28')
    brush.box('#38241a', -0.1, -0.38, 0.2, 0.38)
    for (const x of [-0.42, 0.22]) paned(brush, x, -0.38, 0.2, 0.19)
    brush.window(-0.06, -0.72, 0.12, 0.11)
  },
}

function roofSlabs(brush: Brush, tint: string): void {
  for (const side of [-1, 1]) {
    brush.polygon(tint, [0, -1], [side * 0.7, -0.46], [side * 0.66, -0.4], [0, -0.91])
    if (brush.snowy) brush.polygon('#f6faff', [0, -1.06], [side * 0.72, -0.5], [side * 0.68, -0.44], [0, -0.97])
  }
}

function paned(brush: Brush, x: number, y: number, width: number, height: number): void {
  brush.box('#e9dfcd', x - 0.015, y - 0.015, width + 0.03, height + 0.03)
  brush.window(x, y, width, height)
  brush.line('#4a3526', 0.012, [x + width / 2, y], [x + width / 2, y + height])
  brush.line('#4a3526', 0.012, [x, y + height / 2], [x + width, y + height / 2])
}

export const house: DrawnObject = {
  name: 'house',
  words: ['house', 'cottage', 'farmhouse', 'home', 'villa', 'mansion', 'bungalow'],
  groups: ['village', 'hamlet', 'small town', 'settlement', 'town'],
  place: 'far',
  size: 0.17,
  breadth: 1.25,
  flock: 4,
  scenes: [['meadow', 0.8]],
  draw(brush) {
    const roof = brush.own('#9c4a35', 1)
    smoke(brush, -0.3, -1.02)
    brush.box('#8d4a3c', -0.36, -1.02, 0.12, 0.36)
    brush.box(brush.own('#f1e6d2'), -0.5, -0.56, 1, 0.56)
    brush.polygon(roof, [-0.6, -0.54], [-0.34, -0.94], [0.34, -0.94], [0.6, -0.54])
    if (brush.snowy)
      brush.polygon(
        '#f6faff',
        [-0.55, -0.6],
        [-0.35, -0.97],
        [0.35, -0.97],
        [0.55, -0.6],
        [0.3, -0.66],
        [0, -0.6],
        [-0.3, -0.66],
      )
    brush.box('#5b3a2a', -0.08, -0.36, 0.17, 0.36)
    for (const x of [-0.4, 0.2]) paned(brush, x, -0.42, 0.2, 0.2)
    brush.oval('#3f6b38', -0.4, -0.04, 0.13, 0.08)
    brush.oval('#3f6b38', 0.38, -0.04, 0.15, 0.07)
  },
}

export const barn: DrawnObject = {
  name: 'barn',
  words: ['barn', 'stable', 'farm building', 'granary'],
  place: 'far',
  size: 0.18,
  breadth: 1.3,
  flock: 2,
  scenes: [['meadow', 1.2]],
  draw(brush) {
    const red = brush.own('#9c2f26')
    brush.polygon(red, [-0.5, 0], [-0.5, -0.56], [-0.34, -0.82], [0, -1], [0.34, -0.82], [0.5, -0.56], [0.5, 0])
    for (let board = -4; board <= 4; board++) brush.line('#6e1f1a', 0.007, [board * 0.11, 0], [board * 0.11, -0.58])
    const eaves = [[-0.54, -0.52], [-0.36, -0.83], [0, -1.02], [0.36, -0.83], [0.54, -0.52]] as const // prettier-ignore
    brush.line(brush.snowy ? '#f6faff' : '#3c3431', 0.055, ...eaves)
    brush.box('#f1e9dc', -0.21, -0.44, 0.42, 0.44)
    brush.box(red, -0.18, -0.41, 0.36, 0.41)
    brush.line('#f1e9dc', 0.02, [-0.18, -0.41], [0.18, 0])
    brush.line('#f1e9dc', 0.02, [0.18, -0.41], [-0.18, 0])
    brush.box('#f1e9dc', -0.1, -0.78, 0.2, 0.18)
    brush.window(-0.08, -0.76, 0.16, 0.14)
  },
}

export const tent: DrawnObject = {
  name: 'tent',
  words: ['tent', 'tipi', 'teepee', 'yurt', 'camp', 'camping tent'],
  place: 'near',
  size: 0.15,
  breadth: 1.7,
  flock: 3,
  scenes: [['forest', 0.6]],
  draw(brush) {
    const cloth = brush.own('#e0762f')
    brush.polygon(cloth, [-0.8, 0], [-0.12, -1], [0.18, -0.96], [0.85, 0])
    brush.polygon(brush.lamps ? '#ffd28a' : '#7c3d18', [-0.3, 0], [-0.12, -1], [0.18, 0])
    if (brush.lamps) brush.glow('#ffb955', -0.06, -0.3, 0.9, 0.4)
    brush.polygon(cloth, [-0.3, 0], [-0.12, -1], [-0.2, 0])
    brush.line('#5a4636', 0.012, [-0.12, -1], [-1.05, 0.03])
    brush.line('#5a4636', 0.012, [0.18, -0.96], [1.1, 0.03])
  },
}

export const church: DrawnObject = {
  name: 'church',
  plural: 'churches',
  words: ['church', 'chapel', 'cathedral', 'steeple', 'monastery', 'abbey'],
  place: 'far',
  size: 0.26,
  breadth: 0.9,
  scenes: [['meadow', 0.6]],
  draw(brush) {
    const wall = brush.own('#ece5d6')
    const roof = brush.own('#5c4f55', 1)
    brush.box(wall, -0.06, -0.36, 0.5, 0.36)
    brush.polygon(roof, [-0.06, -0.35], [0.02, -0.56], [0.38, -0.56], [0.48, -0.35])
    brush.box(wall, -0.3, -0.62, 0.26, 0.62)
    brush.polygon(roof, [-0.33, -0.61], [-0.17, -0.94], [-0.01, -0.61])
    if (brush.snowy) brush.polygon('#f6faff', [-0.33, -0.62], [-0.17, -0.96], [-0.01, -0.62], [-0.17, -0.8])
    brush.line('#3a3230', 0.014, [-0.17, -0.93], [-0.17, -1.02])
    brush.line('#3a3230', 0.012, [-0.205, -0.985], [-0.135, -0.985])
    for (const x of [0.06, 0.19, 0.32]) arched(brush, x, -0.26, 0.07, 0.18)
    arched(brush, -0.21, -0.5, 0.08, 0.14)
    brush.shape('#4a3024', -0.23, -0.11, (path) => {
      path.moveTo(-0.23, 0)
      path.lineTo(-0.23, -0.14)
      path.quadraticCurveTo(-0.17, -0.24, -0.11, -0.14)
      path.lineTo(-0.11, 0)
    })
  },
}

function arched(brush: Brush, x: number, y: number, width: number, height: number): void {
  brush.oval('#7d7468', x + width / 2, y, width * 0.62, width * 0.62)
  brush.window(x, y, width, height)
}
