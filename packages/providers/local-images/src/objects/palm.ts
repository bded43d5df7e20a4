import type { Brush } from './brush.ts'
import type { Draw } from './drawable.ts'

export const palm: Draw = (brush) => {
  const lean = brush.random.between(0.06, 0.16) * brush.random.sign()
  const trunk = brush.shaded('#7a5a3c', -0.04, 0.06)
  brush.pen.strokeStyle = trunk
  for (let ring = 0; ring < 26; ring++) {
    const share = ring / 26
    brush.pen.lineWidth = 0.04 - share * 0.016
    brush.pen.beginPath()
    brush.pen.moveTo(lean * share * share, -share * 0.78)
    brush.pen.lineTo(lean * (share + 0.05) ** 2, -(share + 0.034) * 0.78)
    brush.pen.stroke()
  }
  const fronds = 13
  for (let frond = 0; frond < fronds; frond++) {
    const turn = -Math.PI * (-0.12 + (frond / (fronds - 1)) * 1.24) + brush.random.between(-0.08, 0.08)
    palmFrond(brush, lean, -0.8, turn, brush.random.between(0.3, 0.42))
  }
  for (const x of [-0.024, 0.022, 0]) brush.oval('#5d3f26', lean + x, -0.775, 0.019, 0.02)
}

const sunny = ['#6f9c45', '#5f8f3e', '#84ab55'] as const
const shady = ['#2f5f34', '#3b6f3a', '#477a3f'] as const

function palmFrond(brush: Brush, x: number, y: number, turn: number, length: number): void {
  const leaf = brush.own(brush.random.pick(Math.cos(turn) * brush.side > 0 ? sunny : shady))
  const end = { x: x + Math.cos(turn) * length, y: y + Math.sin(turn) * length * 0.72 + length * 0.34 }
  const bend = { x: x + Math.cos(turn) * length * 0.55, y: y + Math.sin(turn) * length * 0.85 - length * 0.16 }
  const at = (share: number, from: number, middle: number, to: number) =>
    (1 - share) ** 2 * from + 2 * share * (1 - share) * middle + share * share * to
  brush.arc(leaf, 0.008, [x, y], [bend.x, bend.y], [end.x, end.y])
  for (let blade = 2; blade < 26; blade++) {
    const share = blade / 26
    const baseX = at(share, x, bend.x, end.x)
    const baseY = at(share, y, bend.y, end.y)
    const reach = length * 0.2 * Math.sin(Math.PI * Math.min(1, share * 0.85 + 0.16))
    brush.line(
      leaf,
      0.0075,
      [baseX, baseY],
      [baseX + Math.cos(turn) * reach * 0.55 + reach * 0.12, baseY + reach * 0.85],
    )
    brush.line(leaf, 0.006, [baseX, baseY], [baseX + Math.cos(turn) * reach * 0.7, baseY - reach * 0.12])
  }
}
