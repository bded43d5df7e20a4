import type { Picture } from '../pixels/picture.ts'
import { clamp } from '../pixels/scalar.ts'

/** A smooth field, worked out at every third pixel and drawn out between: the same to the eye, and much quicker. */
export function fieldOver(
  { width, height, unit }: Picture,
  field: (x: number, y: number) => number,
): (x: number, y: number) => number {
  const step = 3
  const columns = Math.ceil(width / step) + 12
  const rows = Math.ceil(height / step) + 12
  const values = new Float32Array(columns * rows)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      values[row * columns + column] = field(
        ((column - 5) * step - width / 2) / unit,
        ((row - 5) * step - height / 2) / unit,
      )
    }
  }
  return (x, y) => {
    const column = clamp((x * unit + width / 2) / step + 5, 0, columns - 2)
    const row = clamp((y * unit + height / 2) / step + 5, 0, rows - 2)
    const at = Math.floor(row) * columns + Math.floor(column)
    const shareX = column - Math.floor(column)
    const upper = values[at]! + (values[at + 1]! - values[at]!) * shareX
    const lower = values[at + columns]! + (values[at + columns + 1]! - values[at + columns]!) * shareX
    return upper + (lower - upper) * (row - Math.floor(row))
  }
}
