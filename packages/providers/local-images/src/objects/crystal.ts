import type { Draw } from './drawable.ts'

export const crystal: Draw = (brush) => {
  const color = brush.own(brush.random.pick(['#8a6bf0', '#4fd0e0', '#f078c0']))
  brush.glow(color, 0, -0.4, 0.9, brush.lamps ? 0.5 : 0.22)
  for (const [x, height, turn] of [
    [-0.2, 0.62, -0.32],
    [0.22, 0.7, 0.28],
    [0, 1, 0],
  ] as const) {
    brush.pen.save()
    brush.pen.translate(x, 0)
    brush.pen.rotate(turn)
    brush.polygon(color, [-0.12, 0.02], [-0.12, -height * 0.76], [0, -height], [0.12, -height * 0.76], [0.12, 0.02])
    brush.bright(
      '#ffffff',
      (path) => {
        path.moveTo(-0.12, 0.02)
        path.lineTo(-0.12, -height * 0.76)
        path.lineTo(-0.03, -height * 0.7)
        path.lineTo(-0.03, 0.02)
      },
      0.32,
    )
    brush.pen.restore()
  }
}
