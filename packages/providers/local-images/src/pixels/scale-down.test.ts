import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { scaledDown } from './scale-down.ts'

const from = { width: 48, height: 36 }
const to = { width: 32, height: 24 }

describe('scaledDown', () => {
  test('scaledDown keeps an even color', () => {
    const pixels = Uint8Array.from({ length: 48 * 36 * 3 }, (_, index) => [200, 100, 50][index % 3]!)
    const scaled = scaledDown(pixels, from, to)
    expect(scaled).toEqual(Uint8Array.from({ length: 32 * 24 * 3 }, (_, index) => [200, 100, 50][index % 3]!))
  })

  test('scaledDown gives the picture that an image library gives', async () => {
    const pixels = Uint8Array.from({ length: 48 * 36 * 3 }, (_, index) => 128 + 100 * Math.sin(index ** 1.3 / 90))
    const raw = sharp(pixels, { raw: { ...from, channels: 3 } })
    const expected = await raw.resize(to.width, to.height, { kernel: 'lanczos3', fit: 'fill' }).raw().toBuffer()
    const scaled = scaledDown(pixels, from, to)
    const meanError = scaled.reduce((sum, value, index) => sum + Math.abs(value - expected[index]!), 0) / scaled.length
    expect(meanError).toBeLessThan(1)
  })
})
