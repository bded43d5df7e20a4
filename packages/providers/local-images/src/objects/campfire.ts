import type { Draw } from './drawable.ts'

export const campfire: Draw = (brush) => {
  brush.glow('#ff9a3c', 0, -0.35, brush.lamps ? 2.6 : 1.3, brush.lamps ? 0.6 : 0.3)
  for (let stone = -3; stone <= 3; stone++) brush.oval('#6d6862', stone * 0.17, 0.02, 0.1, 0.07)
  brush.line('#4a2f1d', 0.09, [-0.4, -0.02], [0.32, -0.16])
  brush.line('#5a3a24', 0.09, [0.4, -0.02], [-0.3, -0.18])
  for (const [tint, width, tip] of [
    ['#f2641c', 0.34, 1],
    ['#ff9d2e', 0.25, 0.76],
    ['#ffdf7a', 0.14, 0.5],
  ] as const) {
    brush.bright(tint, (path) => {
      path.moveTo(-width, -0.1)
      path.bezierCurveTo(-width * 1.2, -tip * 0.5, -width * 0.2, -tip * 0.5, width * 0.12, -tip)
      path.bezierCurveTo(width * 0.3, -tip * 0.6, width * 1.3, -tip * 0.45, width, -0.1)
      path.quadraticCurveTo(0, 0.02, -width, -0.1)
    })
  }
  for (let spark = 0; spark < 12; spark++) {
    const x = brush.random.between(-0.4, 0.4)
    const y = brush.random.between(-1.7, -0.9)
    brush.bright('#ffc46a', (path) => path.arc(x, y, 0.016, 0, 7), 0.85)
  }
}
