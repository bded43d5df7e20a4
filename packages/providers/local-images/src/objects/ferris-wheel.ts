import type { Brush } from './brush.ts'
import type { Draw } from './drawable.ts'

export const ferrisWheel: Draw = (brush) => {
  const rim = brush.own('#e9edf2')
  const cabins = ['#e23b52', '#f7c52b', '#3a9bf0', '#3da35d', '#a05bd6'] as const
  brush.line('#aab2bd', 0.016, [-0.2, 0], [0, -0.54], [0.2, 0])
  for (const radius of [0.44, 0.4]) strokeCircle(brush, rim, radius)
  for (let spoke = 0; spoke < 16; spoke++) {
    const turn = (spoke / 16) * Math.PI * 2
    const x = Math.cos(turn) * 0.44
    const y = -0.54 + Math.sin(turn) * 0.44
    brush.line(rim, 0.005, [0, -0.54], [x, y])
    if (brush.lamps) brush.glow(cabins[spoke % 5] ?? '#ffffff', x, y + 0.02, 0.08, 0.55)
    brush.oval(cabins[spoke % 5] ?? '#ffffff', x, y + 0.022, 0.026, 0.026)
  }
  brush.oval('#c3cad2', 0, -0.54, 0.03, 0.03)
}

function strokeCircle({ pen, shaded, lamps }: Brush, tint: Parameters<Brush['box']>[0], radius: number): void {
  // After dark the rim is a string of lights.
  pen.strokeStyle = lamps ? 'rgba(255,243,214,0.9)' : shaded(tint, -0.5, 0.5)
  pen.lineWidth = 0.014
  pen.beginPath()
  pen.arc(0, -0.54, radius, 0, Math.PI * 2)
  pen.stroke()
}
