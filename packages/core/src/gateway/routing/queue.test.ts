import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import type { Observer } from '../../index.ts'
import { type Provider, ProviderError } from '../../provider.ts'
import { held, scripted, testCore, type TestCoreOptions } from '@fairlead/testing'

async function setup(providers: readonly Provider[], options: TestCoreOptions = {}) {
  const world = await testCore({ providers, ...options })
  const { core, caller } = world
  return { ...world, generate: (model = 'any') => core.run(operations.generate, caller, { model, prompt: 'x' }) }
}

describe('a target without a free slot', () => {
  const route = { routes: { smart: { targets: ['busy/any', 'ok/any'] } } }

  test('a target without a free slot serves waiting calls in their order', async () => {
    const busy = held('busy')
    const { generate, fairlead } = await setup([busy], { concurrency: { perTarget: 1, queue: 2 } })
    const calls = [generate(), generate(), generate()]
    await expect
      .poll(async () => (await fairlead.providers.list({}))[0]?.targets[0])
      .toMatchObject({ inFlight: 1, queued: 2 })
    for (const [index, content] of ['one', 'two', 'three'].entries()) {
      await expect.poll(() => busy.calls.length).toBe(index + 1)
      busy.release(content)
    }
    expect(await Promise.all(calls)).toMatchObject(['one', 'two', 'three'].map((content) => ({ data: { content } })))
  })

  test('a target without a free slot is skipped by a route when its queue is full', async () => {
    const busy = held('busy')
    const { generate } = await setup([busy, scripted('ok', 'hello')], {
      ...route,
      concurrency: { perTarget: 1, queue: 0 },
    })
    const first = generate('smart')
    await expect.poll(() => busy.calls.length).toBe(1)
    expect(await generate('smart')).toMatchObject({ meta: { provider: 'ok', attempts: 1 } })
    busy.release('done')
    await first
  })

  test('a target without a free slot returns 503 without using quota when its queue is full and there is no other target', async () => {
    const busy = held('busy')
    const { generate } = await setup([busy], { concurrency: { perTarget: 1, queue: 0 } })
    const first = generate()
    await expect.poll(() => busy.calls.length).toBe(1)
    expect(await generate()).toMatchObject({
      error: {
        code: 'PROVIDER_UNAVAILABLE',
        message: 'The queue of model "any" is full (limit: 0 calls). Try again later.',
        details: { provider: 'busy', reason: 'queue_full', calls: 0 },
      },
      retryAfterMs: 1_000,
    })
    busy.release('done')
    expect(await first).toMatchObject({ success: true, limits: { remaining: 999 } })
  })

  test('a target without a free slot times out calls that wait in its queue', async () => {
    const busy = held('busy')
    const { generate, clock, fairlead } = await setup([busy], {
      concurrency: { perTarget: 1 },
      timeouts: { totalMs: 1_000 },
    })
    const calls = [generate(), generate()]
    await expect
      .poll(async () => (await fairlead.providers.list({}))[0]?.targets[0])
      .toMatchObject({ inFlight: 1, queued: 1 })
    clock.advance(1_000)
    expect(await Promise.all(calls)).toMatchObject([
      { error: { code: 'PROVIDER_TIMEOUT', message: 'The provider did not respond in time.' } },
      {
        error: {
          code: 'PROVIDER_TIMEOUT',
          message: 'No slot of model "any" became free in time (limit: 1 concurrent calls). Try again later.',
          details: { provider: 'busy', reason: 'queue_timeout', calls: 1 },
        },
      },
    ])
    expect(busy.calls).toHaveLength(1)
  })

  test('a target without a free slot reports how long calls waited, to the observer and in the record of the request', async () => {
    const busy = held('busy')
    const waits: (readonly [string, number])[] = []
    const full: string[] = []
    const observer: Observer = {
      callQueued: ({ id }, ms) => void waits.push([id, ms]),
      queueFull: ({ id }) => void full.push(id),
    }
    const { generate, clock, fairlead, stores } = await setup([busy], {
      concurrency: { perTarget: 1, queue: 1 },
      observer,
    })
    const first = generate()
    await expect.poll(() => busy.calls.length).toBe(1)
    const second = generate()
    await expect.poll(async () => (await fairlead.providers.list({}))[0]?.targets[0]).toMatchObject({ queued: 1 })
    await generate()
    clock.advance(1_200)
    busy.release('one')
    await expect.poll(() => busy.calls.length).toBe(2)
    busy.release('two')
    const [unqueued, queued] = await Promise.all([first, second])
    expect({ waits, full }).toEqual({ waits: [['any', 1_200]], full: ['any'] })
    const readDetails = ({ meta: { requestId } }: typeof queued) =>
      stores.read(async ({ usage }) => (await usage.ofRequest(requestId))[0]?.details)
    expect(await readDetails(unqueued)).toBeNull()
    expect(await readDetails(queued)).toMatchObject({ queuedMs: 1_200, attempts: [{ outcome: 'ok', durationMs: 0 }] })
  })

  test('a target without a free slot whose circuit opens says so to the calls that wait', async () => {
    let fail: ((error: Error) => void) | undefined
    const busy = { ...held('busy'), generateText: () => new Promise<never>((_, reject) => (fail = reject)) }
    const { generate, fairlead } = await setup([busy], { concurrency: { perTarget: 1 }, circuit: { failures: 1 } })
    const first = generate()
    await expect.poll(() => fail).toBeDefined()
    const second = generate()
    await expect.poll(async () => (await fairlead.providers.list({}))[0]?.targets[0]).toMatchObject({ queued: 1 })
    fail?.(new ProviderError('timeout', 'no response'))
    await first
    expect(await second).toMatchObject({
      error: {
        code: 'PROVIDER_UNAVAILABLE',
        message: 'The provider failed other calls while this one waited for its turn. Try again later.',
      },
    })
  })
})
