import { describe, expect, test } from 'vitest'
import { lightFor } from '../landscape/light.ts'
import { noiseFrom } from '../pixels/noise.ts'
import { blankPicture } from '../pixels/picture.ts'
import { randomFrom } from '../pixels/random.ts'
import { readPrompt } from '../prompt/read-prompt.ts'
import { aurora } from './aurora.ts'

describe('aurora', () => {
  test('an aurora only ever adds light', () => {
    const picture = blankPicture(128, 128)
    const reading = readPrompt('northern lights at night')
    const random = randomFrom(1)
    const light = lightFor(reading, random)
    const care = { octaves: 5, detail: 1, snowy: false }
    const painting = {
      picture,
      reading,
      light,
      random,
      ...care,
      scene: 'mountain',
      noise: noiseFrom(1),
      horizon: 80,
    } as const
    aurora(painting, { x: 64, y: 40, height: 60, fade: 0, colors: [] })
    expect(picture.pixels.every((channel) => channel >= 0)).toBe(true)
    expect(Math.max(...picture.pixels)).toBeGreaterThan(0.2)
  })
})
