import type { Size } from './image-header.ts'

/** Whether this platform can draw. */
export const canDraw = true

/** Draws an image so that it covers the new size, and cuts off what exceeds it. */
export async function redraw(image: Buffer, from: Size, to: Size): Promise<Uint8Array> {
  // Loaded with the first such image, so that text does not wait for it.
  const { createCanvas, loadImage } = await import('@napi-rs/canvas')
  const canvas = createCanvas(to.width, to.height)
  const pen = canvas.getContext('2d')
  pen.imageSmoothingQuality = 'high'
  const scale = Math.max(to.width / from.width, to.height / from.height)
  const [width, height] = [from.width * scale, from.height * scale]
  pen.drawImage(await loadImage(image), (to.width - width) / 2, (to.height - height) / 2, width, height)
  return canvas.encode('png')
}
