import type { Draw } from './drawable.ts'

export const windmill: Draw = (brush) => {
  brush.polygon(brush.own('#ded3c0'), [-0.2, 0], [-0.12, -0.6], [0.12, -0.6], [0.2, 0])
  brush.shape(brush.own('#6a4a3a', 1), -0.15, 0.15, (path) => path.ellipse(0, -0.6, 0.15, 0.14, 0, Math.PI, 0))
  brush.box('#5a3a28', -0.05, -0.16, 0.1, 0.16)
  for (const y of [-0.3, -0.46]) brush.window(-0.03, y, 0.06, 0.07)
  const turn = brush.random.between(0.2, 1.2)
  for (let sail = 0; sail < 4; sail++) {
    brush.pen.save()
    brush.pen.translate(0, -0.62)
    brush.pen.rotate(turn + (sail * Math.PI) / 2)
    brush.polygon('#f3ece0', [0.012, -0.06], [0.1, -0.07], [0.1, -0.4], [0.012, -0.4])
    for (let rung = 0; rung < 6; rung++)
      brush.line('#6b5543', 0.006, [0, -0.08 - rung * 0.062], [0.1, -0.08 - rung * 0.062])
    brush.line('#5a4433', 0.016, [0, 0], [0, -0.41])
    brush.pen.restore()
  }
  brush.oval('#4a372a', 0, -0.62, 0.03, 0.03)
}

export const windTurbine: Draw = (brush) => {
  brush.polygon('#eef1f4', [-0.018, 0], [-0.009, -0.68], [0.009, -0.68], [0.018, 0])
  const turn = brush.random.between(0, 2)
  for (let blade = 0; blade < 3; blade++) {
    brush.pen.save()
    brush.pen.translate(0, -0.69)
    brush.pen.rotate(turn + (blade * Math.PI * 2) / 3)
    brush.polygon('#f4f6f8', [-0.011, 0], [-0.024, -0.07], [0, -0.42], [0.014, -0.06])
    brush.pen.restore()
  }
  brush.oval('#d5dae0', 0, -0.69, 0.018, 0.018)
}
