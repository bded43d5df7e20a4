import { battlements } from './battlements.ts'
import type { Brush } from './brush.ts'
import type { DrawnObject } from './drawable.ts'

export const castle: DrawnObject = {
  name: 'castle',
  words: ['castle', 'fortress', 'palace', 'citadel', 'fort', 'chateau'],
  place: 'far',
  size: 0.32,
  breadth: 1.3,
  scenes: [['mountain', 0.6]],
  draw(brush) {
    const stone = brush.own('#9a958f')
    const roof = brush.own('#4d5b86', 1)
    turret(brush, 0.3, 0.1, 0.72, stone, roof)
    turret(brush, -0.3, 0.09, 0.66, stone, roof)
    brush.box(stone, -0.46, -0.36, 0.92, 0.36)
    battlements(brush, -0.46, 0.46, -0.36, stone)
    turret(brush, 0, 0.13, 0.8, stone, roof)
    turret(brush, 0.52, 0.1, 0.5, stone, roof)
    turret(brush, -0.52, 0.1, 0.56, stone, roof)
    brush.shape('#3a2b22', -0.09, 0.09, (path) => {
      path.moveTo(-0.085, 0)
      path.lineTo(-0.085, -0.14)
      path.quadraticCurveTo(0, -0.26, 0.085, -0.14)
      path.lineTo(0.085, 0)
    })
    for (const x of [-0.3, 0.24]) brush.window(x, -0.24, 0.04, 0.08)
  },
}

function turret(
  brush: Brush,
  x: number,
  halfWidth: number,
  height: number,
  stone: Parameters<Brush['box']>[0],
  roof: Parameters<Brush['box']>[0],
) {
  brush.box(stone, x - halfWidth, -height, halfWidth * 2, height)
  battlements(brush, x - halfWidth * 1.12, x + halfWidth * 1.12, -height, stone)
  const tip = -height - halfWidth * 2.1
  brush.polygon(roof, [x - halfWidth * 1.05, -height - 0.02], [x, tip], [x + halfWidth * 1.05, -height - 0.02])
  if (brush.snowy)
    brush.polygon(
      '#f6faff',
      [x - halfWidth * 0.62, -height - halfWidth * 0.86],
      [x, tip],
      [x + halfWidth * 0.62, -height - halfWidth * 0.86],
      [x, -height - halfWidth * 1.1],
    )
  brush.line('#2f2a2a', 0.006, [x, tip], [x, tip - 0.06])
  brush.polygon('#c8372d', [x, tip - 0.06], [x + brush.side * 0.07, tip - 0.042], [x, tip - 0.024])
  brush.window(x - 0.016, -height * 0.78, 0.032, 0.07)
}
