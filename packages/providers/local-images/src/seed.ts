import { createHash } from 'node:crypto'

/** The number that all chance in a picture springs from: the caller's, or one that the prompt settles. */
export function chooseSeed(prompt: string, seed: number | undefined): number {
  // Hashed too, because a caller's seeds are often 1, 2, 3, which would start much alike.
  const source = seed === undefined ? `prompt:${prompt.trim().toLowerCase().replace(/\s+/g, ' ')}` : `seed:${seed}`
  return createHash('sha256').update(source).digest().readInt32LE(0)
}
