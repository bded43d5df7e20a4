import type { ImageRequest, ProviderCall } from '@fairlead/core/provider'
import { withinASecond } from '@fairlead/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalImages, type LocalImagesOptions, localImages } from './local-images.ts'

const request: ImageRequest = {
  model: 'vista',
  prompt: 'a lighthouse at sunset',
  width: 256,
  height: 256,
  quality: 'standard',
  style: 'natural',
  seed: 5,
}

function call(over: Partial<ProviderCall> = {}): ProviderCall {
  return { signal: new AbortController().signal, deadline: Date.now() + 60_000, requestId: 'test', ...over }
}

function imagesWith(options: LocalImagesOptions = {}): LocalImages {
  const images = localImages(options)
  if (!images) throw new Error('@fairlead/provider-local-images is not installed')
  return images
}

/** The texts that a PNG file carries, by keyword. */
function readTexts(png: Uint8Array): Record<string, string> {
  const file = Buffer.from(png)
  const texts: Record<string, string> = {}
  for (let at = 8; at < file.length; at += file.readUInt32BE(at) + 12) {
    if (file.toString('latin1', at + 4, at + 8) !== 'tEXt') continue
    const [keyword = '', text = ''] = file.toString('latin1', at + 8, at + 8 + file.readUInt32BE(at)).split('\0')
    texts[keyword] = text
  }
  return texts
}

/**
 * Measures each turn of the event loop in the thread's CPU time, not by the clock: other programs on the machine may
 * delay a turn, and only work done here can make it expensive.
 */
function watchTurns(): { stop(): number[] } {
  const heldMs: number[] = []
  let before = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    heldMs.push((user + system) / 1000)
    before = process.threadCpuUsage()
  }, 5)
  return {
    stop() {
      clearInterval(timer)
      return heldMs
    },
  }
}

describe('localImages', () => {
  let images: LocalImages
  beforeAll(async () => {
    images = imagesWith({ workers: 1, queue: 2 })
    await images.generateImage(request, call())
  })
  afterAll(() => images.close())

  test('localImages lists two models that tell what they cannot draw, 1024x1024 first', () => {
    expect(images.models.map(({ id }) => id)).toEqual(['vista', 'motif'])
    for (const { description, sizes } of images.models) {
      expect(description).toMatch(/procedural/)
      expect(description).toMatch(/people or animals/)
      expect(sizes[0]).toBe('1024x1024')
    }
  })

  test.each(['standard', 'hd'] as const)(
    'localImages answers with a PNG of exactly the size asked for in %s',
    async (quality) => {
      const { png } = await images.generateImage({ ...request, quality }, call())
      expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 256, height: 256, channels: 3 })
    },
  )

  test('localImages answers with the same bytes for the same request', async () => {
    const [first, second] = [await images.generateImage(request, call()), await images.generateImage(request, call())]
    expect(Buffer.compare(first.png, second.png)).toBe(0)
  })

  test('localImages marks the file as procedural', async () => {
    const { png } = await images.generateImage(request, call())
    expect(readTexts(png)).toMatchObject({
      Software: 'Fairlead vista',
      Comment: expect.stringMatching(/^Procedural image/),
    })
  })

  test('localImages tells what was painted and warns of what was not', async () => {
    const answer = await images.generateImage({ ...request, prompt: 'a whale at sunset' }, call())
    expect(answer.revisedPrompt).toBe('A procedural painting of a seascape at sunset.')
    expect(answer.warnings).toEqual([
      {
        field: 'prompt',
        issue: '"whale" is not painted: vista cannot draw people or animals; it only chose the scene (sea)',
      },
    ])
  })

  test.each(['vista', 'motif'] as const)('localImages sums up the warnings of %s after the first 20', async (model) => {
    const words = Array.from({ length: 101 }, (_, index) => 'q'.repeat(index + 3))
    const { warnings } = await images.generateImage({ ...request, model, prompt: words.join(' ') }, call())
    expect(warnings).toHaveLength(21)
    expect(warnings?.at(-1)).toEqual({ field: 'prompt', issue: '81 more warnings like these are not shown' })
  })

  test('localImages gives no warnings where nothing is missing', async () => {
    expect(await images.generateImage(request, call())).not.toHaveProperty('warnings')
  })

  test.each([
    [{ model: 'other' }, 'model'],
    [{ width: 300 }, 'size'],
  ])('localImages refuses %j, naming the field', async (over, field) => {
    await expect(images.generateImage({ ...request, ...over }, call())).rejects.toMatchObject({
      failure: 'invalid_request',
      field,
    })
  })

  test('localImages refuses as busy what the queue cannot hold, and paints the rest', async () => {
    // Its own: a picture that another test abandoned would still stand in the queue.
    const idle = imagesWith({ workers: 1, queue: 2 })
    const answers = Array.from({ length: 5 }, () => idle.generateImage(request, call()))
    const settled = await Promise.allSettled(answers).finally(() => idle.close())
    const refused = settled.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(2)
    expect(refused[0]?.reason).toMatchObject({ failure: 'retry', retryAfterMs: expect.any(Number) })
  })

  test('localImages gives up within a second of an abort, and paints on', async () => {
    const controller = new AbortController()
    const large = images.generateImage(
      { ...request, width: 1024, height: 1024, quality: 'hd' },
      call({ signal: controller.signal }),
    )
    const failure = large.catch((error: unknown) => error)
    const next = images.generateImage(request, call())
    const reason = new Error('the caller left')
    controller.abort(reason)
    expect(await withinASecond(failure)).toBe(reason)
    expect((await next).png.length).toBeGreaterThan(1000)
  })

  test('localImages fails as timed out when the deadline passes', async () => {
    const late = images.generateImage(request, call({ deadline: Date.now() + 1 }))
    await expect(late).rejects.toMatchObject({ failure: 'timeout' })
  })

  test('localImages holds the event loop for less than 20 ms at a time (p99) while eight pictures are painted', async () => {
    const turns = watchTurns()
    const seeds = [1, 2, 3, 4, 5, 6, 7, 8]
    for (const seed of seeds) await images.generateImage({ ...request, width: 512, height: 512, seed }, call())
    const heldMs = turns.stop().toSorted((a, b) => a - b)
    expect(heldMs.length).toBeGreaterThan(seeds.length * 10)
    expect(heldMs[Math.floor(heldMs.length * 0.99)]).toBeLessThan(20)
  })
})

describe('localImages, with a painter', () => {
  test('localImages offers the models of the painter that it is given', () => {
    const { models } = imagesWith()
    const painter = { models: models.slice(1), worker: new URL('file:///worker.js') }
    expect(imagesWith({ painter })).toMatchObject({ models: [{ id: 'motif' }], capacity: { ids: ['motif'] } })
  })
})

describe('localImages, picture after picture', () => {
  test('localImages does not grow by what each canvas took, picture after picture', async () => {
    const images = imagesWith({ workers: 1 })
    const town: ImageRequest = { ...request, prompt: 'a town', width: 512, height: 512, quality: 'hd' }
    // Kept canvases would add some 22 MB a picture to each round. Other work of the process may add memory to some.
    const [pictures, maxRounds, limit] = [3, 12, 33e6]
    let grown = Infinity
    for (let round = 0; round < maxRounds && grown >= limit; round++) {
      const before = process.memoryUsage.rss()
      for (let seed = 0; seed < pictures; seed++) {
        await images.generateImage({ ...town, seed: round * pictures + seed }, call())
      }
      grown = process.memoryUsage.rss() - before
    }
    expect(grown).toBeLessThan(limit)
    await images.close()
  })
})

describe('localImages, closed', () => {
  test('closing localImages fails what was being painted', async () => {
    const images = imagesWith({ workers: 1 })
    const painting = images
      .generateImage({ ...request, width: 1024, height: 1024 }, call())
      .catch((error: unknown) => error)
    await images.close()
    expect(await painting).toMatchObject({ failure: 'give_up' })
  })

  test('localImages needs no closing where nothing was painted', async () => {
    await expect(imagesWith().close()).resolves.toBeUndefined()
  })
})
