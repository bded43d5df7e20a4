import type { Brush } from './brush.ts'

export function wheel(brush: Brush, x: number, y: number, radius: number): void {
  brush.oval('#1d1f24', x, y, radius, radius)
  brush.oval('#c9ced6', x, y, radius * 0.5, radius * 0.5)
  brush.oval('#50555d', x, y, radius * 0.18, radius * 0.18)
}
