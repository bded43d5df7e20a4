export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
export type ImageType = (typeof imageTypes)[number]

/** The media type of an image in base64, by its first bytes. Undefined if it is not PNG, JPEG, GIF or WebP. */
export function sniffImage(base64: string): ImageType | undefined {
  return imageTypeOf(Buffer.from(base64.slice(0, 24), 'base64'))
}

/** The media type of an image, by its first bytes. Undefined if it is not PNG, JPEG, GIF or WebP. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const head = Buffer.from(bytes.subarray(0, 18)).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp'
  return undefined
}
