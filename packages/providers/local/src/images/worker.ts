import { paintImage } from './paint-image.ts'

/** What the pool calls in its threads. */
export const paint = paintImage
