import { type Color, mix, scaled } from '../pixels/color.ts'
import { clamp, smoothstep } from '../pixels/scalar.ts'
import { fillEach } from './flood.ts'
import type { Canvas, Family } from './family.ts'

interface Pane {
  readonly x: number
  readonly y: number
  readonly color: Color
  readonly tilt: number
}

/** A window of irregular panes in lead, with the light behind it. */
export const stainedGlass: Family = {
  name: 'stained glass',
  words:
    'stained glass, stained glass window, glass, voronoi, mosaic, cell, shard, crystal pattern, cathedral window, tiffany, low poly, facet',
  moods: ['happy', 'dreamy', 'dramatic'],
  paint(canvas) {
    const { picture, noise, random } = canvas
    const width = picture.width / picture.unit
    const height = picture.height / picture.unit
    const grid = nearestPanes(leadedPanes(canvas, width, height))
    const sunX = random.between(-0.3, 0.3) * width
    const sunY = random.between(-0.35, 0.05) * height
    fillEach(picture, (x, y) => {
      const { pane, border } = grid(x, y)
      const lead = smoothstep(0.011, 0.006, border)
      const glow = 0.72 + 0.62 * Math.exp(-Math.hypot(x - sunX, y - sunY) * 1.7)
      const streak = noise.fractal((x * Math.cos(pane.tilt) + y * Math.sin(pane.tilt)) * 26, (y - x) * 5, 3) * 0.16
      const bevel = 0.14 * smoothstep(0.05, 0.012, border)
      const glass = scaled(pane.color, clamp(glow + streak - bevel, 0, 1.5))
      const ridge = 0.1 + 0.12 * smoothstep(0.006, 0, border)
      return mix(glass, [ridge, ridge, ridge * 1.12], lead)
    })
  },
}

/** Panes on a grid, each pushed off its place. */
interface Panes {
  readonly all: readonly Pane[]
  readonly columns: number
  readonly rows: number
  readonly size: number
}

function leadedPanes({ random, palette, noise, energy }: Canvas, width: number, height: number): Panes {
  const size = random.between(0.105, 0.15) / Math.sqrt(energy)
  const columns = Math.ceil(width / size) + 4
  const rows = Math.ceil(height / size) + 4
  const glasses = [...palette.inks, palette.ground]
  const all: Pane[] = []
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const x = (column - columns / 2 + 0.5 + random.between(-0.42, 0.42)) * size
      const y = (row - rows / 2 + 0.5 + random.between(-0.42, 0.42)) * size
      const zone = clamp(0.5 + noise.fractal(x * 1.4 + 4, y * 1.4, 2) * 1.3 + random.between(-0.25, 0.25), 0, 0.999)
      const color = glasses[Math.floor(zone * glasses.length)] ?? palette.ground
      all.push({ x, y, color: scaled(color, random.between(0.9, 1.12)), tilt: random.between(0, Math.PI) })
    }
  }
  return { all, columns, rows, size }
}

/** The pane at a point and how far its border is; each answer overwrites the one before. */
function nearestPanes({ all, columns, rows, size }: Panes): (x: number, y: number) => { pane: Pane; border: number } {
  const near = { pane: all[0]!, border: 0 }
  return (x, y) => {
    const column = Math.floor(x / size + columns / 2)
    const row = Math.floor(y / size + rows / 2)
    let best = Infinity
    let second = Infinity
    let owner = near.pane
    let rival = near.pane
    for (let r = Math.max(0, row - 2); r <= Math.min(rows - 1, row + 2); r++) {
      for (let c = Math.max(0, column - 2); c <= Math.min(columns - 1, column + 2); c++) {
        const pane = all[r * columns + c]!
        const distance = (x - pane.x) ** 2 + (y - pane.y) ** 2
        if (distance < best) {
          second = best
          rival = owner
          best = distance
          owner = pane
        } else if (distance < second) {
          second = distance
          rival = pane
        }
      }
    }
    near.pane = owner
    near.border = (second - best) / (2 * Math.max(0.001, Math.hypot(owner.x - rival.x, owner.y - rival.y)))
    return near
  }
}
