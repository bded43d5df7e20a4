/** One picture to be made; plain data, so that it can cross to another thread. */
export interface ImageJob {
  readonly model: 'vista' | 'motif'
  readonly prompt: string
  readonly width: number
  readonly height: number
  readonly quality: 'standard' | 'hd'
  readonly style: 'natural' | 'vivid'
  readonly seed?: number
}

/** A finished picture before it is a file. */
export interface PaintedImage extends Painted {
  /** Red, green, blue, pixel after pixel. */
  readonly pixels: Uint8Array
}

/** A picture as a PNG file. */
export interface ImageFile extends Painted {
  readonly png: Uint8Array
}

interface Painted {
  /** What was painted, in a sentence. */
  readonly description: string
  /** What was asked for and is not in the picture, a sentence each. */
  readonly leftOut: readonly string[]
}
