import type { Brush } from './brush.ts'
import type { Draw } from './drawable.ts'

export const hotAirBalloon: Draw = (brush) => {
  const main = brush.own(brush.random.pick(['#d7263d', '#f58a1f', '#2f6fde', '#148f8f', '#7d3cb5', '#e8b545']))
  const second = brush.own('#fff1d6', 1)
  envelope(brush, (stripe) => (stripe % 2 ? main : second))
  for (const side of [-1, 1]) brush.line('#3b2a1c', 0.008, [side * 0.14, 0.2], [side * 0.05, 0.38])
  brush.box('#7a5230', -0.055, 0.38, 0.11, 0.09)
  brush.box('#54361e', -0.062, 0.375, 0.124, 0.022)
  if (brush.lamps) brush.glow('#ffc25a', 0, 0.2, 0.3, 0.55)
}

/** Gores from the widest to the narrowest, so that each overlaps the one behind it. */
function envelope({ shape, pen, side }: Brush, color: (stripe: number) => Parameters<Brush['shape']>[0]): void {
  const gores = [1, 0.78, 0.5, 0.18]
  gores.forEach((width, stripe) => {
    const reach = 0.37 * width
    shape(color(stripe), -0.37, 0.37, (path) => {
      path.moveTo(0, -0.5)
      path.bezierCurveTo(reach * 1.36, -0.5, reach * 1.32, -0.06, 0.15 * width, 0.22)
      path.lineTo(-0.15 * width, 0.22)
      path.bezierCurveTo(-reach * 1.32, -0.06, -reach * 1.36, -0.5, 0, -0.5)
    })
  })
  const gloss = pen.createRadialGradient(side * 0.14, -0.28, 0.02, side * 0.1, -0.2, 0.42)
  gloss.addColorStop(0, 'rgba(255,255,255,0.34)')
  gloss.addColorStop(1, 'rgba(255,255,255,0)')
  pen.fillStyle = gloss
  pen.beginPath()
  pen.moveTo(0, -0.5)
  pen.bezierCurveTo(0.5, -0.5, 0.49, -0.06, 0.15, 0.22)
  pen.lineTo(-0.15, 0.22)
  pen.bezierCurveTo(-0.49, -0.06, -0.5, -0.5, 0, -0.5)
  pen.fill()
}
