import { describe, expect, test } from 'vitest'
import { ProviderError, type Provider } from '../provider.ts'
import { held, scripted, sequenced, testCore, whileTimePasses } from '@fairlead/testing'
import { operations } from '@fairlead/testing/workspace'

const input = { model: 'any', prompt: 'x' }

async function setup(providers: readonly Provider[]) {
  const world = await testCore({ providers })
  const { credentials: admin } = await world.addCaller({ user: { role: 'admin' } })
  return { ...world, list: () => world.core.run(operations.providers, admin, {}) }
}

describe('listProviders', () => {
  test('listProviders reports the calls and failures of each model', async () => {
    const shaky = sequenced('shaky', 'hello', new ProviderError('timeout', 'too slow'))
    const { core, caller, list } = await setup([shaky, scripted('idle', 'hi')])
    await core.run(operations.generate, caller, input)
    await core.run(operations.generate, caller, input)
    expect(await list()).toMatchObject({
      data: [
        {
          id: 'shaky',
          models: 1,
          health: { status: 'unknown' },
          targets: [
            {
              model: 'any',
              circuit: 'closed',
              inFlight: 0,
              latencyMs: { whole: 0 },
              failures: 1,
              lastFailure: 'timeout',
            },
          ],
        },
        { id: 'idle', models: 1, targets: [] },
      ],
    })
  })

  test('listProviders counts the calls in flight', async () => {
    const provider = held('slow')
    const { core, caller, list } = await setup([provider])
    const calls = [core.run(operations.generate, caller, input), core.run(operations.generate, caller, input)]
    await expect.poll(() => provider.calls.length).toBe(2)
    expect(await list()).toMatchObject({ data: [{ targets: [{ inFlight: 2, queued: 0 }] }] })
    provider.release('done')
    await Promise.all(calls)
    expect(await list()).toMatchObject({ data: [{ targets: [{ inFlight: 0 }] }] })
  })

  test('listProviders reports an open circuit breaker', async () => {
    const broken = sequenced('broken', new ProviderError('give_up', 'no'))
    const { core, caller, list } = await setup([broken])
    for (let call = 0; call < 5; call++) await core.run(operations.generate, caller, input)
    expect(await list()).toMatchObject({ data: [{ targets: [{ circuit: 'open', restMs: 10_000, failures: 5 }] }] })
  })

  test('listProviders reports the remaining Retry-After of a target until it has passed', async () => {
    const busy = sequenced('busy', new ProviderError('rate_limited', 'slow down', { retryAfterMs: 60_000 }))
    const { core, caller, list, clock } = await setup([busy])
    await core.run(operations.generate, caller, input)
    clock.advance(1_000)
    expect(await list()).toMatchObject({ data: [{ targets: [{ circuit: 'closed', restMs: 59_000 }] }] })
    clock.advance(59_000)
    expect(JSON.stringify(await list())).not.toContain('restMs')
  })

  test('listProviders checks the health of each provider at most every ten seconds', async () => {
    let checks = 0
    const healthy: Provider = { ...scripted('healthy', 'x'), health: async () => void checks++ }
    const { list, clock } = await setup([healthy])
    expect(await list()).toMatchObject({ data: [{ health: { status: 'up', checkedAt: '2026-03-14T09:26:53.589Z' } }] })
    clock.advance(9_999)
    await list()
    expect(checks).toBe(1)
    clock.advance(1)
    await list()
    expect(checks).toBe(2)
  })

  test.each<[string, Provider['health']]>([
    ['rejects', () => Promise.reject(new ProviderError('credential', 'the key sk-123 is wrong'))],
    [
      'throws',
      () => {
        throw new Error('sk-123')
      },
    ],
    ['never settles', () => new Promise(() => {})],
  ])('listProviders reports a provider whose health check %s as down, without details', async (_case, health) => {
    const { list, clock } = await setup([{ ...scripted('unhealthy', 'x'), health: health! }])
    const reply = await whileTimePasses(clock, list(), 1_000)
    expect(reply).toMatchObject({ data: [{ health: { status: 'down' } }] })
    expect(JSON.stringify(reply)).not.toContain('sk-123')
  })
})
