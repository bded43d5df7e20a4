import type { Draw } from './drawable.ts'

export const reeds: Draw = (brush) => {
  for (let blade = 0; blade < 26; blade++) {
    const x = brush.random.between(-0.26, 0.26)
    const lean = x * 0.5 + brush.random.between(-0.12, 0.12)
    const height = brush.random.between(0.55, 0.95)
    brush.arc(
      brush.own(blade % 2 ? '#6d8a3f' : '#4f6b32'),
      0.014,
      [x, 0.02],
      [x + lean * 0.2, -height * 0.6],
      [x + lean, -height],
    )
    if (blade % 5 === 0) brush.oval('#6b4424', x + lean, -height - 0.02, 0.019, 0.075, lean * 0.6)
  }
}
