import type { Draw } from './drawable.ts'

export const cactus: Draw = (brush) => {
  const green = brush.own('#4a7a4a')
  const arms = [[-1, brush.random.between(0.3, 0.42), 0.3], [1, brush.random.between(0.42, 0.55), 0.24]] as const // prettier-ignore
  for (const [side, y, rise] of arms) {
    brush.shape(green, side * 0.26 - 0.06, side * 0.26 + 0.06, (path) => {
      path.moveTo(0, -y + 0.055)
      path.lineTo(side * 0.2, -y + 0.055)
      path.quadraticCurveTo(side * 0.325, -y + 0.05, side * 0.325, -y - 0.07)
      path.lineTo(side * 0.325, -y - rise)
      path.arc(side * 0.265, -y - rise, 0.06, side > 0 ? 0 : Math.PI, side > 0 ? Math.PI : 0, side > 0)
      path.lineTo(side * 0.205, -y - 0.06)
      path.lineTo(0, -y - 0.055)
    })
  }
  brush.shape(green, -0.1, 0.1, (path) => path.roundRect(-0.095, -1, 0.19, 1.02, 0.095))
  for (const x of [-0.05, 0, 0.05]) brush.line('#35603b', 0.01, [x, -0.02], [x, -0.93])
  for (const x of [-0.03, 0.035]) brush.oval(brush.own('#f27fb2', 1), x, -1, 0.035, 0.028)
}
