import { ProviderError } from '../../values/provider-error.ts'
import { ContractViolation } from './contract-violation.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The last chunk, which has no data: its length, type and checksum. */
const end = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])
const headerLength = 24
const mostBytes = 32 * 1024 * 1024

/** Refuses what a provider calls an image and isn't a whole PNG of the size asked for (PNG specification, 5.2, 11.2.1). */
export function checkPng(bytes: Uint8Array, size: { readonly width: number; readonly height: number }): void {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (png.length > mostBytes) throw new ContractViolation(`the image has ${png.length} bytes`)
  const whole = png.length > headerLength + end.length && png.subarray(-end.length).equals(end)
  if (!whole || !png.subarray(0, signature.length).equals(signature)) {
    throw new ProviderError('retry', 'the image is not a whole PNG')
  }
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  if (width !== size.width || height !== size.height) {
    throw new ContractViolation(`the image is ${width}x${height}, not ${size.width}x${size.height}`)
  }
}
