import type { Brush, Tint } from './brush.ts'

/** A gabled roof over a wall; snow lies on it in winter. */
export function gable(
  brush: Brush,
  tint: Tint,
  roof: { left: number; right: number; eaves: number; ridge: number },
): void {
  const { left, right, eaves, ridge } = roof
  const middle = (left + right) / 2
  brush.polygon(tint, [left, eaves], [middle, ridge], [right, eaves])
  if (brush.snowy) snowCap(brush, roof)
}

/** Snow that follows the two slopes of a roof. */
function snowCap(brush: Brush, roof: { left: number; right: number; eaves: number; ridge: number }): void {
  const { left, right, eaves, ridge } = roof
  const middle = (left + right) / 2
  const thickness = (eaves - ridge) * 0.22
  brush.polygon(
    '#f6faff',
    [left - 0.01, eaves],
    [middle, ridge - thickness * 0.5],
    [right + 0.01, eaves],
    [right - 0.04, eaves + 0.004],
    [middle, ridge + thickness * 1.2],
    [left + 0.04, eaves + 0.004],
  )
}

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
