import type { ImageRequest } from '@fairlead/core/provider'

/** One picture to be made; plain data, so that it can cross to another thread. */
export type ImageJob = Pick<ImageRequest, 'model' | 'prompt' | 'width' | 'height' | 'quality' | 'style' | 'seed'>

/** A finished picture before it is a file. */
export interface PaintedImage {
  /** Red, green, blue, pixel after pixel. */
  readonly pixels: Uint8Array
  /** A sentence about the picture. */
  readonly description: string
  /** The requested things that are not in the picture, a sentence each. */
  readonly leftOut: readonly string[]
}
