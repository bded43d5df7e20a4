import { describe, expect, test } from 'vitest'
import { ProviderError, type Provider } from '../provider.ts'
import { held, scripted, sequenced } from '../testing/fake-providers.ts'
import { testCore } from '../testing/test-core.ts'
import { whileTimePasses } from '../testing/while-time-passes.ts'
import { operations } from '../operations.ts'

const ask = { model: 'any', prompt: 'x' }

async function setup(providers: readonly Provider[]) {
  const world = await testCore({ providers })
  const { credentials: admin } = await world.addCaller({ user: { role: 'admin' } })
  return { ...world, list: () => world.core.run(operations.providers, admin, {}) }
}

describe('providers', () => {
  test('tells what became of the calls of each model', async () => {
    const shaky = sequenced('shaky', 'hello', new ProviderError('timeout', 'too slow'))
    const { core, caller, list } = await setup([shaky, scripted('idle', 'hi')])
    await core.run(operations.generate, caller, ask)
    await core.run(operations.generate, caller, ask)
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

  test('counts the calls that are under way', async () => {
    const provider = held('slow')
    const { core, caller, list } = await setup([provider])
    const calls = [core.run(operations.generate, caller, ask), core.run(operations.generate, caller, ask)]
    await expect.poll(() => provider.calls.length).toBe(2)
    expect(await list()).toMatchObject({ data: [{ targets: [{ inFlight: 2, queued: 0 }] }] })
    provider.release('done')
    await Promise.all(calls)
    expect(await list()).toMatchObject({ data: [{ targets: [{ inFlight: 0 }] }] })
  })

  test('shows a circuit that opened', async () => {
    const broken = sequenced('broken', new ProviderError('give_up', 'no'))
    const { core, caller, list } = await setup([broken])
    for (let call = 0; call < 5; call++) await core.run(operations.generate, caller, ask)
    expect(await list()).toMatchObject({ data: [{ targets: [{ circuit: 'open', restMs: 10_000, failures: 5 }] }] })
  })

  test('shows for how long a target rests that asked for it, and no longer', async () => {
    const busy = sequenced('busy', new ProviderError('rate_limited', 'slow down', { retryAfterMs: 600_000 }))
    const { core, caller, list, clock } = await setup([busy])
    await core.run(operations.generate, caller, ask)
    clock.advance(1_000)
    expect(await list()).toMatchObject({ data: [{ targets: [{ circuit: 'closed', restMs: 599_000 }] }] })
    clock.advance(599_000)
    expect(JSON.stringify(await list())).not.toContain('restMs')
  })

  test('asks each provider how it is, at most every ten seconds', async () => {
    let checks = 0
    const well: Provider = { ...scripted('well', 'x'), health: async () => void checks++ }
    const { list, clock } = await setup([well])
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
    ['never answers', () => new Promise(() => {})],
  ])('says that one whose check %s is down, and no more than its class', async (_case, health) => {
    const { list, clock } = await setup([{ ...scripted('ill', 'x'), health: health! }])
    const reply = await whileTimePasses(clock, list(), 1_000)
    expect(reply).toMatchObject({ data: [{ health: { status: 'down' } }] })
    expect(JSON.stringify(reply)).not.toContain('sk-123')
  })
})
