import { describe, expect, test } from 'vitest'
import type { Credentials } from '../../runtime/access.ts'
import { operations } from '@fairlead/testing/workspace'
import { lastPrompt, textAnswer, type Provider } from '../../provider.ts'
import { fakeTextModel, testCore, type TestCoreOptions } from '@fairlead/testing'

const hello = textAnswer('hello')

/** Responds immediately, but never to prompts that start with "hang". */
function recording(facts: Partial<Provider> = {}): Provider & { readonly prompts: readonly string[] } {
  const prompts: string[] = []
  return {
    contract: 2,
    id: 'recording',
    models: [fakeTextModel(), fakeTextModel({ id: 'other' })],
    prompts,
    ...facts,
    generateText: async (request, { signal }) => {
      const prompt = lastPrompt(request)
      prompts.push(prompt)
      if (!prompt.startsWith('hang')) return hello
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    },
  }
}

async function setup(provider: Provider, options: TestCoreOptions = {}) {
  const { fairlead, core, addCaller } = await testCore({ providers: [provider], ...options })
  const hostile = (await addCaller({ user: { tier: 'pro' } })).credentials
  const other = (await addCaller()).credentials
  const controller = new AbortController()
  const generate = (credentials: Credentials, prompt: string, model = 'any') =>
    core.run(operations.generate, credentials, { model, prompt }, { signal: controller.signal })
  const target = async () => (await fairlead.providers.list({}))[0]?.targets[0]
  return { fairlead, core, hostile, other, generate, target, cancelAll: () => controller.abort() }
}

describe('two accounts that share a target', () => {
  test('two accounts that share a target with few slots get responses without delay for one while the other has 150 slow calls', async () => {
    const { hostile, other, generate, target, cancelAll } = await setup(
      recording({ capacities: [{ concurrency: 100, queue: 50 }] }),
    )
    const slow = Array.from({ length: 150 }, () => generate(hostile, 'hang'))
    await expect.poll(target).toMatchObject({ inFlight: 80, queued: 50 })
    for (let n = 0; n < 20; n++) expect(await generate(other, 'x')).toMatchObject({ success: true })
    expect(await target()).toMatchObject({ inFlight: 80, queued: 50 })
    cancelAll()
    const codes = (await Promise.all(slow)).map((reply) => (reply.success ? 'ok' : reply.error.code))
    expect(codes.filter((code) => code === 'PROVIDER_UNAVAILABLE')).toHaveLength(20)
  })

  test('two accounts that share a target without a declared capacity can use every slot, and the next free slot goes to the one that waits', async () => {
    const { hostile, other, core, generate, target, cancelAll } = await setup(recording(), {
      concurrency: { perTarget: 100 },
    })
    const first = new AbortController()
    const slow = Array.from({ length: 99 }, () => generate(hostile, 'hang'))
    slow.push(core.run(operations.generate, hostile, { model: 'any', prompt: 'hang' }, { signal: first.signal }))
    await expect.poll(target).toMatchObject({ inFlight: 100, queued: 0 })
    slow.push(generate(hostile, 'hang'))
    await expect.poll(target).toMatchObject({ inFlight: 100, queued: 1 })
    const served = generate(other, 'x')
    await expect.poll(target).toMatchObject({ inFlight: 100, queued: 2 })
    first.abort()
    expect(await served).toMatchObject({ success: true })
    cancelAll()
    await Promise.all(slow)
  })

  test('two accounts that share a target give the next slot to the account without one, ahead of the waiting calls of the other', async () => {
    const gates: (() => void)[] = []
    const prompts: string[] = []
    const provider = recording({ capacities: [{ ids: ['any'], concurrency: 1 }] })
    provider.generateText = async (request) => {
      prompts.push(lastPrompt(request))
      await new Promise<void>((resolve) => void gates.push(resolve))
      return hello
    }
    const { hostile, other, generate, target } = await setup(provider)
    const calls = [1, 2, 3].map((n) => generate(hostile, `flood ${n}`))
    await expect.poll(target).toMatchObject({ queued: 2 })
    calls.push(generate(other, 'x'))
    await expect.poll(target).toMatchObject({ queued: 3 })
    for (let n = 1; n <= 4; n++) {
      await expect.poll(() => gates.length).toBe(n)
      gates.at(-1)?.()
    }
    await Promise.all(calls)
    expect(prompts).toEqual(['flood 1', 'x', 'flood 2', 'flood 3'])
  })

  test('two accounts that share a target reject the newest call of the account that fills the queue when the other makes a call', async () => {
    const { hostile, other, generate, target, cancelAll } = await setup(recording(), {
      concurrency: { perTarget: 1, queue: 3 },
    })
    const first = generate(hostile, 'hang')
    const waiting = [1, 2, 3].map((n) => generate(hostile, `hang ${n}`))
    await expect.poll(target).toMatchObject({ inFlight: 1, queued: 3 })
    const served = generate(other, 'hang too')
    expect(await waiting[2]).toMatchObject({
      error: { code: 'PROVIDER_UNAVAILABLE', details: { reason: 'queue_full', calls: 3 } },
      retryAfterMs: 1_000,
    })
    expect(await target()).toMatchObject({ inFlight: 1, queued: 3 })
    cancelAll()
    await Promise.all([first, served, ...waiting])
  })

  test('two accounts that share a target do not limit the embedding program', async () => {
    const { fairlead, target } = await setup(recording(), { concurrency: { perTarget: 10 } })
    const controller = new AbortController()
    const options = { signal: controller.signal }
    const calls = Array.from({ length: 12 }, () => fairlead.generate({ model: 'any', prompt: 'hang' }, options))
    await expect.poll(target).toMatchObject({ inFlight: 10, queued: 2 })
    controller.abort()
    await Promise.allSettled(calls)
  })
})

describe('a canceled call', () => {
  test.each([
    ['until the work passed to waitUntil has ended', 0],
    ['for 30 seconds if that work never ends', 30_000],
  ])('a canceled call keeps its slot %s', async (_title, waitMs) => {
    let endWork = () => {}
    const prompts: string[] = []
    const provider: Provider = {
      ...recording({ capacities: [{ concurrency: 1 }] }),
      generateText: (request, { signal, waitUntil }) => {
        const prompt = lastPrompt(request)
        prompts.push(prompt)
        if (prompt === 'x') return Promise.resolve(hello)
        waitUntil?.(new Promise<void>((resolve) => void (endWork = resolve)))
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      },
    }
    const { fairlead, clock } = await testCore({ providers: [provider] })
    const controller = new AbortController()
    const canceled = fairlead.generate({ model: 'any', prompt: 'long' }, { signal: controller.signal })
    await expect.poll(() => prompts).toEqual(['long'])
    controller.abort()
    await expect(canceled).rejects.toMatchObject({ name: 'AbortError' })
    const next = fairlead.generate({ model: 'any', prompt: 'x' })
    await expect
      .poll(async () => (await fairlead.providers.list())[0]?.targets[0])
      .toMatchObject({ inFlight: 1, queued: 1 })
    if (waitMs === 0) endWork()
    else clock.advance(waitMs)
    expect(await next).toMatchObject({ content: 'hello' })
    expect((await fairlead.providers.list())[0]?.targets[0]).toMatchObject({ inFlight: 0, queued: 0 })
  })
})

describe('a capacity', () => {
  test('a capacity limits the concurrent calls to all of its models together', async () => {
    const provider = recording({ capacities: [{ ids: ['any', 'other'], concurrency: 2, queue: 1 }] })
    const { fairlead } = await setup(provider)
    const controller = new AbortController()
    const options = { signal: controller.signal }
    const generate = (model: string) => fairlead.generate({ model, prompt: `hang ${model}` }, options)
    const calls = [generate('any'), generate('other'), generate('other')]
    await expect.poll(() => provider.prompts).toEqual(['hang any', 'hang other'])
    await expect(generate('any')).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
    controller.abort()
    await Promise.allSettled(calls)
  })

  test('a capacity applies to all models of the provider if it names none', async () => {
    const provider = recording({ capacities: [{ concurrency: 1, queue: 0 }] })
    const { fairlead } = await setup(provider)
    const controller = new AbortController()
    const first = fairlead.generate({ model: 'any', prompt: 'hang' }, { signal: controller.signal })
    await expect.poll(() => provider.prompts).toEqual(['hang'])
    await expect(fairlead.generate({ model: 'other', prompt: 'x' })).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    })
    controller.abort()
    await Promise.allSettled([first])
  })

  test('a capacity is rejected at startup if a limit is out of range', async () => {
    for (const [field, capacity] of [
      ['concurrency', { ids: ['any'], concurrency: 0 }],
      ['queue', { ids: ['any'], concurrency: 1, queue: -1 }],
    ] as const) {
      await expect(testCore({ providers: [recording({ capacities: [capacity] })] })).rejects.toThrow(
        `the provider "recording": capacities[0].${field} must be an integer`,
      )
    }
  })
})
