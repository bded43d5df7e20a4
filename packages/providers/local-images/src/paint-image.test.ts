import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileText } from '../../local/src/testing/hostile-text.ts'
import { familyTable } from './families/family-table.ts'
import type { ImageJob } from './image-job.ts'
import { paintImage } from './paint-image.ts'
import { lexicon } from './prompt/lexicon.ts'
import { sceneNames } from './prompt/meaning.ts'

const job: ImageJob = {
  model: 'vista',
  prompt: 'a cabin by a mountain lake at dawn',
  width: 96,
  height: 96,
  quality: 'standard',
  style: 'natural',
  seed: 1,
}

function spread(values: Uint8Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
}

/** Mean distance of the channels from gray. */
function colorfulness({ pixels }: { pixels: Uint8Array }): number {
  let sum = 0
  for (let at = 0; at < pixels.length; at += 3) {
    const channels = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!]
    sum += Math.max(...channels) - Math.min(...channels)
  }
  return sum / (pixels.length / 3)
}

describe('paintImage', () => {
  test.each(['vista', 'motif'] as const)('paintImage throws on no hostile prompt to %s', (model) => {
    fc.assert(
      fc.property(hostileText([...lexicon.keys()]), (prompt) => {
        expect(paintImage({ ...job, model, prompt, width: 16, height: 16 }).pixels).toHaveLength(16 * 16 * 3)
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 20), seed: 14 },
    )
  })

  test('paintImage gives the same pixels for the same prompt, size and seed', () => {
    expect(Buffer.compare(paintImage(job).pixels, paintImage(job).pixels)).toBe(0)
  })

  test('paintImage takes its chance from the prompt where no seed is given', () => {
    const { seed: _, ...seedless } = job
    expect(Buffer.compare(paintImage(seedless).pixels, paintImage(seedless).pixels)).toBe(0)
    expect(Buffer.compare(paintImage(seedless).pixels, paintImage(job).pixels)).not.toBe(0)
  })

  test('paintImage gives another pattern for another prompt with the same seed', () => {
    const prompts = ['a cat', 'a dog', 'hello', 'art deco']
    const patterns = prompts.map((prompt) => paintImage({ ...job, model: 'motif', prompt }).description)
    expect(new Set(patterns).size).toBe(prompts.length)
  })

  test('paintImage gives another picture for another seed', () => {
    expect(Buffer.compare(paintImage(job).pixels, paintImage({ ...job, seed: 2 }).pixels)).not.toBe(0)
  })

  test('paintImage paints hd at the requested size too', () => {
    const { pixels } = paintImage({ ...job, quality: 'hd' })
    expect(pixels).toHaveLength(96 * 96 * 3)
    expect(spread(pixels)).toBeGreaterThan(12)
  })

  test('paintImage is more colorful in vivid than in natural', () => {
    const natural = paintImage(job)
    expect(colorfulness(paintImage({ ...job, style: 'vivid' }))).toBeGreaterThan(colorfulness(natural) * 1.15)
  })

  test('paintImage paints in black and white when asked to', () => {
    expect(colorfulness(paintImage({ ...job, prompt: 'black and white, the sea at noon' }))).toBe(0)
  })

  test.each(sceneNames)('paintImage paints a %s in every shape of picture', (scene) => {
    for (const [width, height] of [
      [64, 112],
      [112, 64],
      [96, 96],
    ] as const) {
      const painted = paintImage({ ...job, prompt: scene === 'space' ? 'outer space' : scene, width, height })
      expect(painted.pixels).toHaveLength(width * height * 3)
      expect(spread(painted.pixels)).toBeGreaterThan(12)
    }
  })

  test.each(familyTable.map(({ name, words }) => [name, words.split(', ')[0] ?? ''] as const))(
    'paintImage makes a %s when its word is asked for',
    (name, word) => {
      const painted = paintImage({ ...job, model: 'motif', prompt: `${word} in blue and orange` })
      expect(painted.description).toContain(name)
      expect(painted.leftOut).toEqual([])
      expect(spread(painted.pixels)).toBeGreaterThan(12)
    },
  )

  test('paintImage says what a scene could not show', () => {
    const { leftOut } = paintImage({ ...job, prompt: 'a red fox in the snow, watercolor' })
    expect(leftOut).toEqual([
      '"fox" is not painted: vista cannot draw people or animals; it only chose the scene (forest)',
      '"watercolor" is not honored: vista paints in one manner of its own',
    ])
  })

  test('paintImage says of a pattern that it has no subject', () => {
    const { leftOut } = paintImage({ ...job, model: 'motif', prompt: 'a castle and a dog, op art' })
    expect(leftOut).toEqual([
      '"castle" is not painted: motif makes patterns, which have no subject',
      '"dog" is not painted: motif makes patterns, which have no subject',
    ])
  })

  test('paintImage tells in a sentence what was painted', () => {
    expect(paintImage({ ...job, prompt: 'two red boats on a calm sea at sunset' }).description).toBe(
      'A procedural painting of a calm seascape at sunset with two boats, in red.',
    )
  })
})

/** Floating point and the canvas's rasterizer may round in another way elsewhere, so the hashes hold on one platform. */
const platform = `${process.platform}-${process.arch}`
const goldenPlatform = 'linux-x64'

describe.skipIf(platform !== goldenPlatform)(
  `the pixels on ${goldenPlatform} (skipped elsewhere: rounding differs)`,
  () => {
    test.each([
      ['vista', 'a lighthouse at sunset', '294649dd3b8fb546'],
      ['vista', 'a cabin by a mountain lake at dawn', 'e452dd3270ba3c85'],
      ['vista', 'a city at night in the rain', 'ec30877b57b5bf10'],
      ['vista', 'a purple nebula with a planet', '8fafd7bb39ae0920'],
      ['motif', 'calm flow field in blue and gold', '9178e4c28d9c2134'],
      ['motif', 'stained glass', '66d63184a5ce43c0'],
    ] as const)('the pixels of a picture stay what they are for %s, %j', (model, prompt, expected) => {
      const { pixels } = paintImage({ ...job, model, prompt, width: 64, height: 64, seed: 11 })
      expect(createHash('sha256').update(pixels).digest('hex').slice(0, 16)).toBe(expected)
    })
  },
)
