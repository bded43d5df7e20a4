import type { DrawnObject } from './drawable.ts'

export const bridge: DrawnObject = {
  name: 'bridge',
  words: ['bridge', 'suspension bridge', 'golden gate bridge', 'golden gate'],
  place: 'far',
  size: 0.24,
  breadth: 3.6,
  scenes: [['city', 0.5]],
  draw(brush) {
    const steel = brush.own('#b5432f')
    for (const x of [-0.95, 0.95]) {
      for (const leg of [-0.055, 0.055]) brush.box(steel, x + leg - 0.022, -1, 0.044, 1.02)
      for (const y of [-0.96, -0.74, -0.52]) brush.box(steel, x - 0.07, y, 0.14, 0.036)
    }
    brush.arc(steel, 0.022, [-0.95, -0.98], [0, 0.24], [0.95, -0.98])
    brush.arc(steel, 0.022, [-0.95, -0.98], [-1.5, -0.5], [-2.1, -0.3])
    brush.arc(steel, 0.022, [0.95, -0.98], [1.5, -0.5], [2.1, -0.3])
    for (let hanger = -9; hanger <= 9; hanger++) {
      const share = (hanger + 10) / 20
      const cable = (1 - share) ** 2 * -0.98 + 2 * share * (1 - share) * 0.24 + share ** 2 * -0.98
      brush.line(steel, 0.008, [hanger * 0.095, cable], [hanger * 0.095, -0.27])
    }
    brush.box(steel, -8, -0.3, 16, 0.05)
    for (const x of [-5, -3.6, -2.2, 2.2, 3.6, 5]) brush.box(steel, x - 0.05, -0.28, 0.1, 0.3)
    if (brush.lamps) for (let lamp = -24; lamp <= 24; lamp++) brush.glow('#ffdf9a', lamp * 0.2, -0.32, 0.07, 0.8)
  },
}

export const archBridge: DrawnObject = {
  name: 'stone bridge',
  words: ['stone bridge', 'arch bridge', 'viaduct', 'aqueduct', 'old bridge', 'footbridge', 'wooden bridge'],
  place: 'far',
  size: 0.14,
  breadth: 3.6,
  draw(brush) {
    const stone = brush.own('#a79f93')
    brush.shape(stone, -1.8, 1.8, (path) => {
      path.moveTo(-1.9, 0.02)
      path.lineTo(-1.9, -0.66)
      path.quadraticCurveTo(0, -1.16, 1.9, -0.66)
      path.lineTo(1.9, 0.02)
      for (const center of [1.15, 0, -1.15]) {
        const half = center === 0 ? 0.52 : 0.44
        const rise = center === 0 ? 0.72 : 0.52
        path.lineTo(center + half, 0.02)
        path.bezierCurveTo(center + half, -rise * 1.2, center - half, -rise * 1.2, center - half, 0.02)
      }
    })
    brush.arc('#cfc7ba', 0.06, [-1.9, -0.68], [0, -1.18], [1.9, -0.68])
  },
}

export const waterLilies: DrawnObject = {
  name: 'water lily',
  plural: 'water lilies',
  words: ['water lily', 'lily pad', 'lotus', 'waterlily', 'lily pond'],
  place: 'water',
  size: 0.06,
  breadth: 2.4,
  flock: 9,
  draw(brush) {
    for (const [x, y, size] of [
      [-0.7, 0, 0.6],
      [0.5, 0.14, 0.72],
      [0, -0.3, 0.5],
    ] as const)
      brush.oval('#4d7f45', x, y, size, size * 0.3)
    for (let petal = 0; petal < 7; petal++) {
      const turn = -Math.PI * (0.12 + (petal / 6) * 0.76)
      const x = 0.1 + Math.cos(turn) * 0.34
      brush.oval(brush.own('#f4b6cf'), x, -0.36 + Math.sin(turn) * 0.34, 0.13, 0.32, turn + Math.PI / 2)
    }
    brush.oval('#f7d15a', 0.1, -0.4, 0.13, 0.1)
  },
}
