import type * as z from 'zod'
import { ProviderError } from '../provider-error.ts'
import { ContractViolation, parseResponse, providerResponses } from '../provider-responses.ts'
import type { ImageRequest, Provider } from '../provider.ts'
import type { Attempt } from '../routing/attempt.ts'

export type CheckedImage = z.output<typeof providerResponses.image>

/** Requests an image, and checks that it is a PNG of exactly the requested size. */
export async function requestImage(provider: Provider, request: ImageRequest, attempt: Attempt): Promise<CheckedImage> {
  if (!provider.generateImage) {
    throw new ProviderError('give_up', `${provider.id} lists image models but cannot generate images`)
  }
  attempt.request = request
  const answer = parseResponse(providerResponses.image, await provider.generateImage(request, attempt))
  attempt.received(answer)
  const { others = [] } = answer
  for (const png of [answer.png, ...others]) checkPng(png, request)
  const { n = 1 } = request
  if (others.length >= n) throw new ContractViolation(`there are ${others.length + 1} images of ${n}`)
  const missing = n - 1 - others.length
  if (missing === 0) return answer
  return {
    ...answer,
    warnings: [...answer.warnings, { field: 'n', issue: `the provider returned ${n - missing} images` }],
  }
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The empty IEND chunk: its length, type and checksum. */
const endChunk = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])
const headerLength = 24
const maxBytes = 32 * 1024 * 1024

/** Throws unless an image is a complete PNG of the requested size (PNG specification, 5.2 and 11.2.1). */
export function checkPng(bytes: Uint8Array, size: { readonly width: number; readonly height: number }): void {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (png.length > maxBytes) throw new ContractViolation(`the image has ${png.length} bytes`)
  const isComplete = png.length > headerLength + endChunk.length && png.subarray(-endChunk.length).equals(endChunk)
  if (!isComplete || !png.subarray(0, signature.length).equals(signature)) {
    throw new ProviderError('retry', 'the image is not a complete PNG')
  }
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  if (width !== size.width || height !== size.height) {
    throw new ContractViolation(`the image is ${width}x${height}, not ${size.width}x${size.height}`)
  }
}
