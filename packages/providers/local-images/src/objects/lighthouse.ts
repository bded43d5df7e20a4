import type { Brush } from './brush.ts'
import type { Draw } from './drawable.ts'

export const lighthouse: Draw = (brush) => {
  const stripe = brush.own('#c8372d')
  const plain = brush.own('#f6f1e7', 1)
  keepersHouse(brush, 0.2 * -brush.side)
  for (let band = 0; band < 6; band++) {
    const top = 0.075 + band * 0.0085
    const y = -0.8 + band * 0.134
    brush.polygon(band % 2 ? plain : stripe, [-top, y], [top, y], [top + 0.0085, y + 0.136], [-top - 0.0085, y + 0.136])
  }
  brush.box('#262b34', -0.115, -0.815, 0.23, 0.022)
  for (let rail = -3; rail <= 3; rail++) brush.line('#262b34', 0.006, [rail * 0.035, -0.815], [rail * 0.035, -0.86])
  brush.box('#2b2f38', -0.06, -0.91, 0.12, 0.1)
  brush.window(-0.045, -0.9, 0.09, 0.085, '#ffeeb0')
  brush.polygon('#7e2a24', [-0.08, -0.905], [0, -1], [0.08, -0.905])
  for (const y of [-0.6, -0.36]) brush.window(-0.015, y, 0.03, 0.045)
  if (brush.lamps) beams(brush)
}

/** On the side away from the light, which is the land's. */
function keepersHouse(brush: Brush, x: number): void {
  brush.box('#e9e2d3', x - 0.13, -0.14, 0.26, 0.15)
  brush.polygon('#8a3b30', [x - 0.16, -0.135], [x - 0.1, -0.215], [x + 0.1, -0.215], [x + 0.16, -0.135])
  for (const pane of [-0.07, 0.03]) brush.window(x + pane, -0.1, 0.04, 0.05)
}

function beams({ pen, glow }: Brush): void {
  for (const side of [-1, 1]) {
    const beam = pen.createLinearGradient(0, -0.86, side * 1.9, -0.96)
    beam.addColorStop(0, 'rgba(255,240,190,0.5)')
    beam.addColorStop(1, 'rgba(255,240,190,0)')
    pen.fillStyle = beam
    pen.beginPath()
    pen.moveTo(0, -0.86)
    pen.lineTo(side * 1.9, -1.14)
    pen.lineTo(side * 1.9, -0.78)
    pen.fill()
  }
  glow('#fff0c0', 0, -0.86, 0.26, 0.9)
}
