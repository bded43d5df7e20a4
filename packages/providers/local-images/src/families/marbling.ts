import { type Color, mix, scaled } from '../pixels/color.ts'
import { clamp } from '../pixels/scalar.ts'
import type { Random } from '../pixels/random.ts'
import { fieldOver } from './field.ts'
import { fillEach } from './flood.ts'
import type { Canvas, Family } from './family.ts'

interface Drop {
  readonly x: number
  readonly y: number
  readonly area: number
  readonly ink: number
}

/** Marbled paper: drops of ink pushed aside by later drops, then drawn with a comb (Lu, Jaffer et al. 2012). */
export const marbling: Family = {
  name: 'marbling',
  words:
    'marbling, marble, marbled, ink, fluid, liquid, acrylic pour, fluid art, ebru, suminagashi, agate, swirling ink, oil slick',
  moods: ['dreamy', 'dramatic', 'calm'],
  paint(canvas) {
    const { picture, palette, random, noise, energy } = canvas
    const inkAt = inkWell(fallingDrops(canvas))
    const comb = combing(random, energy)
    const start = random.between(0, 60)
    const swayX = fieldOver(picture, (x, y) => noise.fractal(x * 1.3 + start, y * 1.3, 3) * 0.16 * energy)
    const swayY = fieldOver(picture, (x, y) => noise.fractal(x * 1.3, y * 1.3 + start, 3) * 0.16 * energy)
    fillEach(picture, (x, y) => {
      const sway = swayX(x, y)
      const combed = comb(x + sway, y + swayY(x, y))
      const { ink, edge } = inkAt(combed.x, combed.y)
      const color: Color = ink < 0 ? palette.ground : (palette.inks[ink % palette.inks.length] ?? palette.ground)
      const vein = clamp(1 - edge * 60) * 0.3
      const pool = 0.95 + 0.1 * clamp(edge * 8)
      return mix(scaled(color, pool), palette.inks[0], vein)
    })
  },
}

/** Stones: drop upon drop in one place, so that each becomes a ring; then a sprinkle of small ones. */
function fallingDrops({ picture, random, palette }: Canvas): Drop[] {
  const width = picture.width / picture.unit
  const height = picture.height / picture.unit
  const drops: Drop[] = []
  const stones = Math.round(10 * width * height)
  for (let stone = 0; stone < stones; stone++) {
    const x = random.between(-0.6, 0.6) * width
    const y = random.between(-0.6, 0.6) * height
    const rings = 3 + random.index(3)
    const first = random.index(palette.inks.length + 1)
    for (let ring = 0; ring < rings; ring++) {
      drops.push({ x, y, area: random.between(0.08, 0.15) ** 2, ink: ((first + ring) % (palette.inks.length + 1)) - 1 })
    }
  }
  for (let speck = 0; speck < 8 * width * height; speck++) {
    const [x, y] = [random.between(-0.6, 0.6) * width, random.between(-0.6, 0.6) * height]
    drops.push({ x, y, area: random.between(0.012, 0.03) ** 2, ink: random.index(palette.inks.length + 1) - 1 })
  }
  return drops
}

/**
 * The ink at a point. Each drop pushed what lay there outward, keeping its area; walked backwards from the last
 * drop, a point is either inside it or was nearer to its middle before it fell.
 */
function inkWell(drops: readonly Drop[]): (x: number, y: number) => Inked {
  const xs = Float64Array.from(drops, ({ x }) => x)
  const ys = Float64Array.from(drops, ({ y }) => y)
  const areas = Float64Array.from(drops, ({ area }) => area)
  const found: Inked = { ink: -1, edge: 1 }
  return (x, y) => {
    let u = x
    let v = y
    found.ink = -1
    found.edge = 1
    for (let index = drops.length - 1; index >= 0; index--) {
      const dx = u - xs[index]!
      const dy = v - ys[index]!
      const area = areas[index]!
      const square = dx * dx + dy * dy
      if (square < area * 1.7) found.edge = Math.min(found.edge, Math.abs(Math.sqrt(square) - Math.sqrt(area)))
      if (square < area) {
        found.ink = drops[index]!.ink
        break
      }
      const back = Math.sqrt(1 - area / square)
      u = xs[index]! + dx * back
      v = ys[index]! + dy * back
    }
    return found
  }
}

interface Inked {
  /** An ink of the palette; -1 is the paper. */
  ink: number
  /** How far the nearest edge of ink is. */
  edge: number
}

function combing(random: Random, energy: number): (x: number, y: number) => { x: number; y: number } {
  const turn = random.between(0, Math.PI)
  const teeth = random.between(3, 6)
  const pull = random.between(0.12, 0.3) * energy
  const cos = Math.cos(turn)
  const sin = Math.sin(turn)
  const point = { x: 0, y: 0 }
  return (x, y) => {
    const along = x * cos + y * sin
    const across = -x * sin + y * cos
    // Teeth go up and down by turns; between them the ink bends smoothly, as a real comb drags it.
    const swing = Math.sin(across * teeth * Math.PI)
    const drawn = along + pull * Math.sign(swing) * Math.abs(swing) ** 1.7
    point.x = drawn * cos - across * sin
    point.y = drawn * sin + across * cos
    return point
  }
}
