import sharp from 'sharp'
import { expect, test } from 'vitest'
import { encodePng } from './encode-png.ts'

test('encodePng writes a PNG that decodes to the same pixels', async () => {
  const size = { width: 7, height: 5 }
  const pixels = Uint8Array.from({ length: 7 * 5 * 3 }, (_, index) => (index * 89) % 256)
  const file = sharp(encodePng(pixels, size, { Comment: 'A test.' }))
  expect(await file.metadata()).toMatchObject({ format: 'png', ...size, channels: 3 })
  expect(new Uint8Array(await file.raw().toBuffer())).toEqual(pixels)
})
