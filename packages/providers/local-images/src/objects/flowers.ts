import type { DrawnObject } from './drawable.ts'

export const flower: DrawnObject = {
  name: 'flower',
  words: ['flower', 'rose', 'daisy', 'tulip', 'poppy', 'wildflower', 'violet', 'lily', 'dandelion'],
  groups: ['bouquet', 'flower bed'],
  place: 'near',
  size: 0.12,
  breadth: 0.45,
  flock: 16,
  abounds: ['meadow'],
  scenes: [['meadow', 1]],
  draw(brush) {
    const petal = brush.own(brush.random.pick(['#e2577a', '#f2c230', '#f4f1e6', '#8d6fd8', '#f07f3a']))
    const lean = brush.random.between(-0.08, 0.08)
    brush.arc('#3f7a3a', 0.03, [0, 0], [lean * 0.4, -0.4], [lean, -0.8])
    for (const side of [-1, 1]) brush.oval('#4f8a3c', side * 0.08, -0.3, 0.1, 0.03, side * -0.6)
    for (let leaf = 0; leaf < 8; leaf++) {
      const turn = (leaf / 8) * Math.PI * 2
      brush.oval(petal, lean + Math.cos(turn) * 0.11, -0.82 + Math.sin(turn) * 0.1, 0.09, 0.055, turn)
    }
    brush.oval('#f3cf4a', lean, -0.82, 0.06, 0.055)
  },
}

export const sunflower: DrawnObject = {
  name: 'sunflower',
  words: ['sunflower'],
  place: 'near',
  size: 0.24,
  breadth: 0.5,
  flock: 9,
  scenes: [['meadow', 1.5]],
  draw(brush) {
    brush.arc('#6f9f45', 0.045, [0, 0], [0.03, -0.4], [0, -0.76])
    for (const side of [-1, 1]) brush.oval('#74a84c', side * 0.13, -0.36 - side * 0.06, 0.14, 0.06, side * -0.5)
    for (let petal = 0; petal < 18; petal++) {
      const turn = (petal / 18) * Math.PI * 2
      brush.oval(
        brush.own(petal % 2 ? '#f6c31c' : '#e9a915'),
        Math.cos(turn) * 0.16,
        -0.8 + Math.sin(turn) * 0.155,
        0.085,
        0.032,
        turn,
      )
    }
    brush.oval('#4a2c14', 0, -0.8, 0.105, 0.1)
    brush.oval('#6b4420', 0, -0.8, 0.06, 0.056)
  },
}
