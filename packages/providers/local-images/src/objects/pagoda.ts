import type { Brush } from './brush.ts'
import type { DrawnObject } from './drawable.ts'

export const pagoda: DrawnObject = {
  name: 'pagoda',
  words: ['pagoda', 'temple', 'shrine', 'japanese temple', 'buddhist temple'],
  place: 'far',
  size: 0.34,
  breadth: 0.7,
  scenes: [['mountain', 0.5]],
  draw(brush) {
    const roof = brush.own('#8e2f2a')
    brush.box('#6c6661', -0.34, -0.05, 0.68, 0.05)
    for (let floor = 0; floor < 4; floor++) {
      const half = 0.23 - floor * 0.042
      const y = -0.05 - floor * 0.205
      brush.box('#e9d9bf', -half, y - 0.13, half * 2, 0.13)
      for (let pillar = -1; pillar <= 1; pillar++)
        brush.line('#7c2a22', 0.014, [pillar * half * 0.86, y], [pillar * half * 0.86, y - 0.13])
      brush.window(-0.03, y - 0.1, 0.06, 0.07)
      eaves(brush, roof, half * 1.62, y - 0.12)
    }
    brush.line('#c79a3a', 0.014, [0, -0.86], [0, -1])
  },
}

function eaves(brush: Brush, roof: Parameters<Brush['box']>[0], reach: number, y: number): void {
  brush.shape(brush.snowy ? '#eef4fb' : roof, -reach, reach, (path) => {
    path.moveTo(-reach, y - 0.02)
    path.quadraticCurveTo(-reach * 0.5, y, -reach * 0.36, y - 0.1)
    path.lineTo(reach * 0.36, y - 0.1)
    path.quadraticCurveTo(reach * 0.5, y, reach, y - 0.02)
    path.quadraticCurveTo(reach * 0.8, y + 0.035, 0, y + 0.03)
    path.quadraticCurveTo(-reach * 0.8, y + 0.035, -reach, y - 0.02)
  })
}
