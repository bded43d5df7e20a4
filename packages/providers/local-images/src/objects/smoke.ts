import type { Brush } from './brush.ts'

/** Smoke that rises from a chimney and leans with the light's far side. */
export function smoke({ pen, side, random }: Brush, x: number, y: number): void {
  for (let puff = 0; puff < 9; puff++) {
    const share = puff / 9
    pen.fillStyle = `rgba(226,228,234,${0.24 * (1 - share)})`
    pen.beginPath()
    pen.arc(
      x - side * share * share * 0.3 + random.between(-0.02, 0.02),
      y - share * 0.5,
      0.03 + share * 0.08,
      0,
      Math.PI * 2,
    )
    pen.fill()
  }
}
