import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import type { Provider } from '../../provider.ts'
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
    expect(await generate()).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 1_000 })
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
      { error: { code: 'PROVIDER_TIMEOUT' } },
      { error: { code: 'PROVIDER_TIMEOUT' } },
    ])
    expect(busy.calls).toHaveLength(1)
  })
})
