import { type Issue, ProviderError } from '@fairlead/core/provider'

interface Size {
  readonly width: number
  readonly height: number
}

interface Drawn {
  readonly png: Uint8Array
  readonly warnings: readonly Issue[]
}

/** More than any model draws. */
const mostPixels = 64 * 1024 * 1024

/**
 * The image as a PNG of exactly that size. The API draws PNG or JPEG as it likes, and a few pixels more or less than its
 * own table says.
 */
export async function toPng(image: Buffer, size: Size): Promise<Drawn> {
  try {
    return await convert(image, size)
  } catch (error) {
    throw new ProviderError('retry', `the image can not be read: ${String(error)}`)
  }
}

async function convert(image: Buffer, { width, height }: Size): Promise<Drawn> {
  // Loaded with the first image: who asks for text alone need not wait for it.
  const { default: sharp } = await import('sharp')
  const picture = sharp(image, { limitInputPixels: mostPixels })
  const drawn = await picture.metadata()
  if (drawn.width !== width || drawn.height !== height) {
    const issue = `the model drew ${drawn.width}x${drawn.height}, which was scaled`
    const png = await picture.resize(width, height, { fit: 'cover' }).png().toBuffer()
    return { png, warnings: [{ field: 'size', issue }] }
  }
  return { png: drawn.format === 'png' ? image : await picture.png().toBuffer(), warnings: [] }
}
