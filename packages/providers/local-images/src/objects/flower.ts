import type { Draw } from './drawable.ts'

export const flower: Draw = (brush) => {
  const petal = brush.own(brush.random.pick(['#e2577a', '#f2c230', '#f4f1e6', '#8d6fd8', '#f07f3a']))
  const lean = brush.random.between(-0.08, 0.08)
  brush.arc('#3f7a3a', 0.03, [0, 0], [lean * 0.4, -0.4], [lean, -0.8])
  for (const side of [-1, 1]) brush.oval('#4f8a3c', side * 0.08, -0.3, 0.1, 0.03, side * -0.6)
  for (let leaf = 0; leaf < 8; leaf++) {
    const turn = (leaf / 8) * Math.PI * 2
    brush.oval(petal, lean + Math.cos(turn) * 0.11, -0.82 + Math.sin(turn) * 0.1, 0.09, 0.055, turn)
  }
  brush.oval('#f3cf4a', lean, -0.82, 0.06, 0.055)
}
