import type * as z from 'zod'
import { ProviderError } from '../provider-error.ts'
import { supportsDialect } from '../routing/route.ts'
import { type ImageType, sniffImageType } from '../messages/media-data.ts'
import { ContractViolation, parseResponse, responseSchemas } from '../provider-responses.ts'
import type { ImageRequest, Provider } from '../provider.ts'
import type { Attempt } from '../routing/attempt.ts'

export type CheckedImage = z.output<typeof responseSchemas.image>

/**
 * Requests an image, and checks that it is a PNG of exactly the requested size. A client of the provider's own API gets what
 * it asked for there.
 */
export async function requestImage(provider: Provider, request: ImageRequest, attempt: Attempt): Promise<CheckedImage> {
  if (!provider.generateImage) {
    throw new ProviderError('give_up', `${provider.id} lists image models but cannot generate images`)
  }
  const { native, ...foreign } = request
  const isOwn = Object.keys(native ?? {}).some((dialect) => supportsDialect(provider, dialect))
  const sent = isOwn ? request : foreign
  attempt.request = sent
  const answer = parseResponse(responseSchemas.image, await provider.generateImage(sent, attempt))
  attempt.received(answer)
  const { others = [] } = answer
  for (const image of [answer.png, ...others]) {
    if (isOwn) checkImage(image)
    else checkPng(image, request)
  }
  const { n = 1 } = request
  if (others.length >= n) throw new ContractViolation(`there are ${others.length + 1} images of ${n}`)
  const missing = n - 1 - others.length
  if (missing === 0) return answer
  return {
    ...answer,
    warnings: [...answer.warnings, { field: 'n', issue: `the provider returned ${n - missing} images` }],
  }
}

/** Throws unless an image of any size is a complete file of a type that browsers show. */
function checkImage(bytes: Uint8Array): void {
  const image = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (image.length > maxBytes) throw new ContractViolation(`the image has ${image.length} bytes`)
  const type = sniffImageType(image)
  if (type === undefined || !isComplete[type](image)) {
    throw new ProviderError('retry', 'the image is not a complete PNG, JPEG, WebP, or GIF')
  }
}

/** By the marks at the end of each format, and the length that WebP states. */
const isComplete: Readonly<Record<ImageType, (image: Buffer) => boolean>> = {
  'image/png': (image) => image.subarray(-12).equals(endChunk),
  'image/jpeg': (image) => image.lastIndexOf(Buffer.from([0xff, 0xd9])) > 2,
  'image/gif': (image) => image.at(-1) === 0x3b,
  'image/webp': (image) => image.readUInt32LE(4) + 8 <= image.length,
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
  const isWhole = png.length > headerLength + endChunk.length && png.subarray(-endChunk.length).equals(endChunk)
  if (!isWhole || !png.subarray(0, signature.length).equals(signature)) {
    throw new ProviderError('retry', 'the image is not a complete PNG')
  }
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  if (width !== size.width || height !== size.height) {
    throw new ContractViolation(`the image is ${width}x${height}, not ${size.width}x${size.height}`)
  }
}
