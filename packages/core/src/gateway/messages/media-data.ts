export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
export type ImageType = (typeof imageTypes)[number]

/** The media type of an image in base64, by its first bytes. Undefined if it is not PNG, JPEG, GIF or WebP. */
export function sniffImage(base64: string): ImageType | undefined {
  return sniffImageType(Buffer.from(base64.slice(0, 24), 'base64'))
}

/** The media type of an image, by its first bytes. Undefined if it is not PNG, JPEG, GIF or WebP. */
export function sniffImageType(bytes: Uint8Array): ImageType | undefined {
  const head = Buffer.from(bytes.subarray(0, 18)).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp'
  return undefined
}

/** The bytes of an image or a file. */
interface MediaData {
  /** In lower case, without parameters. */
  readonly mediaType: string
  /** In base64 without white space; undefined if the bytes cannot be read. */
  readonly data: string | undefined
}

const maxHeadLength = 1_000

/**
 * Reads a data URL (RFC 2397): its scheme and `base64` in any case, its media type with parameters, and its data in base64
 * (RFC 4648) or percent-encoded. Undefined for any other address.
 */
export function readDataUrl(url: string): MediaData | undefined {
  if (!/^data:/i.test(url.slice(0, 5))) return undefined
  const end = url.slice(0, maxHeadLength).indexOf(',')
  const [type = '', ...parameters] = url.slice(5, Math.max(5, end)).split(';')
  const mediaType = type.trim().toLowerCase() || 'text/plain'
  if (end < 0) return { mediaType, data: undefined }
  const isBase64 = parameters.at(-1)?.trim().toLowerCase() === 'base64'
  const text = url.slice(end + 1)
  return { mediaType, data: isBase64 ? toBase64(text) : Buffer.from(bytesOf(text)).toString('base64') }
}

/**
 * Base64 as providers get it: of the usual alphabet or the one for URLs (RFC 4648), with the line breaks of MIME (RFC 2045), or percent-encoded. Undefined for
 * any other text. Checks the length and both ends: a scan of the whole would block the event loop, and the upstream decodes
 * it anyway.
 */
export function toBase64(given: string): string | undefined {
  const text = given.includes('%') ? Buffer.from(bytesOf(given)).toString('latin1') : given
  const ends = text.length <= 128 ? text : text.slice(0, 64) + text.slice(-64)
  if (!/^[\w+/\r\n-]+={0,2}[\r\n]*$/.test(ends) || !/\w/.test(ends)) return undefined
  // No RFC allows them, and the decoder would skip them.
  if (text.includes(' ') || text.includes('\t')) return undefined
  const isUsual = !unusual.some((character) => text.includes(character))
  // The decoder takes all these forms, and is faster than a pattern.
  const data = isUsual ? text : Buffer.from(text, 'base64').toString('base64')
  return data.length % 4 === 1 ? undefined : data
}

/** Characters that the usual alphabet of base64 does not have. */
const unusual = ['\n', '\r', '-', '_']

/** The bytes of a percent-encoded text, which need not be text. */
function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const pair = bytes[at] === percent ? bytes.toString('latin1', at + 1, at + 3) : ''
    const isEncoded = /^[\da-f]{2}$/i.test(pair)
    bytes[length++] = isEncoded ? Number.parseInt(pair, 16) : bytes[at]!
    if (isEncoded) at += 2
  }
  return bytes.subarray(0, length)
}

const percent = 0x25
