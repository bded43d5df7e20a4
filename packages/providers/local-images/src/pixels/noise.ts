import { clamp } from './scalar.ts'
import { randomFrom } from './random.ts'

/** Gradient noise in the plane, and the two ways of stacking it that landscapes are made of. */
export interface Noise {
  /** One octave, about -1 to 1. */
  at(x: number, y: number): number
  /** Clouds, soil, hills: octaves of falling weight, about -0.7 to 0.7. */
  fractal(x: number, y: number, octaves: number, gain?: number): number
  /** Mountain crests: folded octaves where each sharpens the next, about 0 to 1. */
  ridged(x: number, y: number, octaves: number, gain?: number): number
}

/** Perlin's improved noise over a shuffled lattice. */
export function noiseFrom(seed: number): Noise {
  const at = gradientNoise(seed)
  return {
    at,
    fractal: (x, y, octaves, gain = 0.5) => fractalSum(at, x, y, octaves, gain),
    ridged: (x, y, octaves, gain = 0.5) => ridgedSum(at, x, y, octaves, gain),
  }
}

type Octave = Noise['at']

function gradientNoise(seed: number): Octave {
  const lattice = shuffledLattice(seed)
  const { slopeX, slopeY } = slopes(seed)
  return (x, y) => {
    const left = Math.floor(x)
    const top = Math.floor(y)
    const column = left & 255
    const row = top & 255
    const dx = x - left
    const dy = y - top
    const easeX = dx * dx * dx * (dx * (dx * 6 - 15) + 10)
    const easeY = dy * dy * dy * (dy * (dy * 6 - 15) + 10)
    const nearColumn = lattice[column]! + row
    const farColumn = lattice[column + 1]! + row
    const a = lattice[nearColumn]!
    const b = lattice[farColumn]!
    const c = lattice[nearColumn + 1]!
    const d = lattice[farColumn + 1]!
    const topLeft = slopeX[a]! * dx + slopeY[a]! * dy
    const topRight = slopeX[b]! * (dx - 1) + slopeY[b]! * dy
    const bottomLeft = slopeX[c]! * dx + slopeY[c]! * (dy - 1)
    const bottomRight = slopeX[d]! * (dx - 1) + slopeY[d]! * (dy - 1)
    const upper = topLeft + (topRight - topLeft) * easeX
    return upper + (bottomLeft + (bottomRight - bottomLeft) * easeX - upper) * easeY
  }
}

// Each octave is turned as well as doubled, so that the lattice's own directions do not show.

function fractalSum(at: Octave, x: number, y: number, octaves: number, gain: number): number {
  let sum = 0
  let weight = 0.5
  for (let octave = 0; octave < octaves; octave++) {
    sum += weight * at(x, y)
    const turned = x * 1.6 - y * 1.2 + 19.1
    y = x * 1.2 + y * 1.6
    x = turned
    weight *= gain
  }
  return sum
}

function ridgedSum(at: Octave, x: number, y: number, octaves: number, gain: number): number {
  let sum = 0
  let weight = 0.5
  let carried = 1
  for (let octave = 0; octave < octaves; octave++) {
    // A crest a little round, as weather leaves it.
    const value = at(x, y)
    const fold = 1.04 - Math.sqrt(value * value + 0.0016)
    const crest = fold * (fold * carried)
    carried = clamp(crest * 1.8)
    sum += weight * crest
    const turned = x * 1.62 - y * 1.18 + 7.7
    y = x * 1.18 + y * 1.62 + 3.1
    x = turned
    weight *= gain
  }
  return sum
}

function shuffledLattice(seed: number): Uint8Array {
  const random = randomFrom(seed)
  const order = Uint8Array.from({ length: 256 }, (_, index) => index)
  for (let last = 255; last > 0; last--) {
    const other = random.index(last + 1)
    const held = order[last]!
    order[last] = order[other]!
    order[other] = held
  }
  const twice = new Uint8Array(514)
  for (let index = 0; index < twice.length; index++) twice[index] = order[index & 255]!
  return twice
}

function slopes(seed: number): { slopeX: Float32Array; slopeY: Float32Array } {
  const random = randomFrom(seed ^ 0x2545f491)
  const slopeX = new Float32Array(256)
  const slopeY = new Float32Array(256)
  for (let index = 0; index < 256; index++) {
    const turn = random.next() * Math.PI * 2
    slopeX[index] = Math.cos(turn) * 1.5
    slopeY[index] = Math.sin(turn) * 1.5
  }
  return { slopeX, slopeY }
}
