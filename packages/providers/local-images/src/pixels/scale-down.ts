/** Source positions from `first` on, and how much each counts; the weights add up to 1. */
interface Taps {
  readonly first: number
  readonly weights: Float32Array
}

const lobes = 3

/**
 * Scales a picture to a smaller size with a Lanczos filter of three lobes.
 *
 * @param pixels red, green, blue, pixel after pixel
 */
export function scaledDown(
  pixels: Uint8Array,
  from: { readonly width: number; readonly height: number },
  to: { readonly width: number; readonly height: number },
): Uint8Array {
  const columns = createTaps(from.width, to.width)
  const row = from.width * 3
  const sums = new Float32Array(row)
  const scaled = new Uint8ClampedArray(to.width * to.height * 3)
  let at = 0
  for (const { first, weights } of createTaps(from.height, to.height)) {
    sums.fill(0)
    for (let tap = 0; tap < weights.length; tap++) {
      const weight = weights[tap]!
      const start = (first + tap) * row
      for (let index = 0; index < row; index++) sums[index]! += pixels[start + index]! * weight
    }
    for (const column of columns) {
      let red = 0
      let green = 0
      let blue = 0
      let source = column.first * 3
      for (const weight of column.weights) {
        red += sums[source]! * weight
        green += sums[source + 1]! * weight
        blue += sums[source + 2]! * weight
        source += 3
      }
      scaled[at++] = red
      scaled[at++] = green
      scaled[at++] = blue
    }
  }
  return new Uint8Array(scaled.buffer)
}

/** For each position in `to`, the positions in `from` that it is made of. */
function createTaps(from: number, to: number): readonly Taps[] {
  const ratio = from / to
  return Array.from({ length: to }, (_, index) => {
    const center = (index + 0.5) * ratio - 0.5
    const first = Math.max(0, Math.ceil(center - lobes * ratio))
    const last = Math.min(from - 1, Math.floor(center + lobes * ratio))
    const weights = Float32Array.from({ length: last - first + 1 }, (_tap, tap) =>
      lanczos((first + tap - center) / ratio),
    )
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    return { first, weights: weights.map((weight) => weight / total) }
  })
}

function lanczos(x: number): number {
  if (x === 0) return 1
  const turn = Math.PI * x
  return Math.abs(x) < lobes ? (lobes * Math.sin(turn) * Math.sin(turn / lobes)) / turn ** 2 : 0
}
