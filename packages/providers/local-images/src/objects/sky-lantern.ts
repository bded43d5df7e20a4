import type { Draw } from './drawable.ts'

export const skyLantern: Draw = (brush) => {
  brush.glow('#ffb14a', 0, 0, 0.95, 0.5)
  const paper = brush.pen.createLinearGradient(0, -0.5, 0, 0.45)
  paper.addColorStop(0, '#e8792e')
  paper.addColorStop(1, '#ffe6a0')
  brush.pen.fillStyle = paper
  brush.pen.beginPath()
  brush.pen.moveTo(-0.24, -0.36)
  brush.pen.quadraticCurveTo(0, -0.56, 0.24, -0.36)
  brush.pen.quadraticCurveTo(0.42, 0.05, 0.22, 0.4)
  brush.pen.lineTo(-0.22, 0.4)
  brush.pen.quadraticCurveTo(-0.42, 0.05, -0.24, -0.36)
  brush.pen.fill()
}
