import type { Brush } from './brush.ts'

export function battlements(
  brush: Brush,
  left: number,
  right: number,
  y: number,
  stone: Parameters<Brush['box']>[0],
): void {
  const teeth = Math.max(3, Math.round((right - left) / 0.06))
  const step = (right - left) / teeth
  for (let tooth = 0; tooth < teeth; tooth++) brush.box(stone, left + tooth * step, y - 0.032, step * 0.58, 0.034)
}
