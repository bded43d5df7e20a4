import { describe, expect, test } from 'vitest'
import { operations, storedEvents } from '@fairlead/testing/workspace'
import {
  begun,
  failing,
  held,
  scripted,
  fakeTextModel,
  testCore,
  type TestCoreOptions,
  whileTimePasses,
  withOutages,
  testStores,
} from '@fairlead/testing'
import { ProviderError, type Provider } from '../../provider.ts'
import { FairleadError } from '../errors.ts'
import { spendPeriod, toUsd } from './budget.ts'

/** A request reserves $0.10 for at most 100 tokens, and an answer of `words` words costs as many tenths of a cent. */
const pricing = { input: 0, output: 1_000 }

function priced<P extends Provider>(provider: P, facts: Parameters<typeof fakeTextModel>[0] = {}): P {
  const models = provider.models as readonly ReturnType<typeof fakeTextModel>[]
  return { ...provider, models: models.map((model) => ({ ...model, pricing, ...facts })) }
}

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ')
/** Costs $0.02. */
const usual = () => priced(scripted('calm', words(20)))
const input = { model: 'any', prompt: 'x' }

interface World extends TestCoreOptions {
  readonly user?: object
  readonly key?: object
}

async function setup({ user = { budgetUsd: 0.25, budgetPeriod: 'month' }, key, ...options }: World = {}) {
  const stores = withOutages(testStores())
  const world = await testCore({ providers: [usual()], stores, ...options })
  const { credentials, keyId, userId } = await world.addCaller({ user, ...(key && { key: { limits: key } }) })
  const { core, clock } = world
  const ask = (fields: object = {}, more: object = {}) =>
    core.run(operations.generate, credentials, { ...input, ...fields }, more)
  const readSpend = async (budget: string, period: string) => {
    const [found] = await stores.read((view) => view.spend.find([{ budget, period }]))
    return found && [toUsd(found.spent), toUsd(found.reserved)]
  }
  /** The amounts that the user has spent and reserved this month. */
  const spend = () => readSpend(userId, spendPeriod('month', clock.now()))
  const events = async () =>
    (await storedEvents(stores))
      .filter(({ type }) => type.startsWith('budget.'))
      .map(({ type, data }) => `${type} ${data['threshold']} ${data['kind']}`)
      .toSorted()
  const used = async () => (await stores.read((view) => view.counters.peek(keyId))).used
  return { ...world, stores, credentials, keyId, userId, ask, spend, readSpend, events, used }
}

const refused = { success: false, error: { code: 'BUDGET_EXCEEDED' } }

describe('a budget', () => {
  test('a budget is spent by the cost of each call, and rejects a call for which it has no room', async () => {
    const { ask, spend, used } = await setup()
    for (let n = 0; n < 8; n++) expect(await ask()).toMatchObject({ success: true, meta: { costUsd: 0.02 } })
    expect(await spend()).toEqual([0.16, 0])
    expect(await ask()).toMatchObject({
      error: {
        code: 'BUDGET_EXCEEDED',
        message:
          'The budget of the user, $0.25 per month, has no room for this request: $0.16 is spent, requests in progress reserve $0.00, and this one needs up to $0.10. It resets at 2026-04-01T00:00:00.000Z.',
        details: { budget: 'user', period: 'month', reset: '2026-04-01T00:00:00.000Z' },
      },
      limits: { remaining: 992 },
    })
    expect(await ask({ maxTokens: 90 })).toMatchObject({ success: true })
    expect(await used()).toBe(9)
  })

  test('a budget is never exceeded by concurrent calls that cost at most what they reserve', async () => {
    const provider = priced(held('slow'))
    const { ask, spend, credentials, core } = await setup({ providers: [provider] })
    const replies = [ask(), ask(), ask(), core.run(operations.generate, credentials, { ...input, stream: true })]
    await expect.poll(() => provider.calls.length).toBe(2)
    expect(await spend()).toEqual([0, 0.2])
    provider.release('done')
    const settled = await Promise.all(replies)
    expect(settled.filter(({ success }) => !success)).toHaveLength(2)
    expect(settled.find(({ success }) => !success)).toMatchObject({ ...refused, retryAfterMs: 1_000 })
    expect(await spend()).toEqual([0.002, 0])
  })

  test('a budget can be that of an API key, and both must hold', async () => {
    const { ask, readSpend, userId, keyId } = await setup({
      key: { budgetUsd: 0.13, budgetPeriod: 'day' },
      user: { budgetUsd: 1 },
    })
    expect(await ask()).toMatchObject({ success: true })
    expect(await ask()).toMatchObject({ success: true })
    expect(await ask()).toMatchObject({ error: { details: { budget: 'key', period: 'day' } } })
    expect(await readSpend(userId, 'total')).toEqual([0.04, 0])
    expect(await readSpend(keyId, '2026-03-14')).toEqual([0.04, 0])
  })

  test('a budget that never resets has no time to retry', async () => {
    const { ask } = await setup({ user: { budgetUsd: 0 } })
    const reply = await ask()
    expect(reply).toMatchObject({ error: { details: { budget: 'user', period: 'total' } } })
    expect(reply).not.toHaveProperty('retryAfterMs')
  })

  test('a budget does not limit a model that costs nothing, even when it is used up', async () => {
    const { ask, spend } = await setup({ providers: [scripted('calm', 'hi')], user: { budgetUsd: 0 } })
    expect(await ask()).toMatchObject({ success: true })
    expect(await spend()).toBeUndefined()
  })

  test('a budget that is exhausted rejects calls without the store, until its amount is raised or its period ends', async () => {
    const { ask, stores, fairlead, userId, clock } = await setup({ user: { budgetUsd: 0.1, budgetPeriod: 'day' } })
    await ask()
    expect(await ask()).toMatchObject(refused)
    stores.failNext(Infinity)
    expect(await ask()).toMatchObject(refused)
    expect(await ask({}, { idempotencyKey: 'k' })).toMatchObject(refused)
    stores.failNext(0)
    await fairlead.users.patch({ id: userId, budgetUsd: 0.12 })
    expect(await ask()).toMatchObject({ success: true })
    expect(await ask()).toMatchObject(refused)
    clock.advance(86_400_000)
    expect(await ask()).toMatchObject({ success: true })
  })

  test('a budget is not spent by a request that is answered from the cache', async () => {
    const routes = { cached: { targets: ['calm/any'], cache: { ttlMs: 60_000 } } }
    const entries = new Map<string, string>()
    const cache = {
      get: async (key: string) => entries.get(key),
      set: async (key: string, value: string) => void entries.set(key, value),
    }
    const { ask, spend } = await setup({ routes, cache })
    await ask({ model: 'cached' })
    expect(await ask({ model: 'cached' })).toMatchObject({ meta: { cached: true, costUsd: 0 } })
    expect(await spend()).toEqual([0.02, 0])
  })

  test('a request with an Idempotency-Key that is answered from the cache fails once if the store is unavailable', async () => {
    const routes = { cached: { targets: ['calm/any'], cache: { ttlMs: 60_000 } } }
    const entries = new Map<string, string>()
    const cache = {
      get: async (key: string) => entries.get(key),
      set: async (key: string, value: string) => void entries.set(key, value),
    }
    const { ask, stores } = await setup({ routes, cache, user: { budgetUsd: 0.1, budgetPeriod: 'day' } })
    await ask({ model: 'cached' })
    expect(await ask()).toMatchObject(refused)
    stores.failNext(100)
    const reply = await ask({ model: 'cached' }, { idempotencyKey: 'k' })
    expect(reply).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
  })

  test.each([
    ['whole', {}],
    ['streamed', { stream: true }],
  ])('a budget allows a %s request that is answered from the cache, even when it is used up', async (_form, form) => {
    const routes = { cached: { targets: ['calm/any'], cache: { ttlMs: 60_000 } } }
    const entries = new Map<string, string>()
    const cache = {
      get: async (key: string) => entries.get(key),
      set: async (key: string, value: string) => void entries.set(key, value),
    }
    const { fairlead, core, userId, credentials, ask, spend, events, stores } = await setup({ routes, cache })
    await ask({ model: 'cached' })
    await fairlead.users.patch({ id: userId, budgetUsd: 0 })
    const reply = await ask({ model: 'cached', ...form }, { requestId: 'req_cached', idempotencyKey: 'k' })
    expect(reply).toMatchObject({ success: true, meta: { cached: true } })
    if ('events' in reply) for await (const _ of reply.events);
    expect(await stores.read((view) => view.usage.ofRequest('req_cached'))).toMatchObject([
      { outcome: 'ok', costUsd: 0, cached: true },
    ])
    expect(await spend()).toEqual([0.02, 0])
    expect(await events()).toEqual([])
    expect(await core.run(operations.generate, credentials, { model: 'cached', prompt: 'other' })).toMatchObject(
      refused,
    )
  })

  test('a budget is not spent by the replay of an Idempotency-Key', async () => {
    const { ask, spend } = await setup()
    await ask({}, { idempotencyKey: 'k' })
    expect(await ask({}, { idempotencyKey: 'k' })).toMatchObject({ replayed: true })
    expect(await spend()).toEqual([0.02, 0])
  })

  test('a budget releases the Idempotency-Key of a request that it rejects', async () => {
    const { ask, clock } = await setup({ user: { budgetUsd: 0.1, budgetPeriod: 'day' } })
    await ask()
    expect(await ask({}, { idempotencyKey: 'k' })).toMatchObject(refused)
    clock.advance(86_400_000)
    expect(await ask({}, { idempotencyKey: 'k' })).toMatchObject({ success: true })
  })

  test('a budget gets back what a failed call has reserved', async () => {
    const { ask, spend } = await setup({ providers: [priced(failing('down', 'give_up'))] })
    expect(await ask()).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
    expect(await spend()).toEqual([0, 0])
  })

  test('a budget reserves for the dearest target of a route, and pays for the one that answered', async () => {
    const providers = [
      priced(failing('down', 'give_up'), { pricing: { input: 0, output: 10 } }),
      priced(scripted('dear', words(20)), { pricing: { input: 0, output: 2_000 } }),
    ]
    const routes = { both: { targets: ['down/any', 'dear/any'] } }
    const { ask, spend } = await setup({ providers, routes, user: { budgetUsd: 0.2, budgetPeriod: 'month' } })
    expect(await ask({ model: 'both' })).toMatchObject({ success: true, meta: { provider: 'dear' } })
    expect(await spend()).toEqual([0.04, 0])
    expect(await ask({ model: 'both' })).toMatchObject(refused)
  })

  test('a budget reserves at most the largest estimate, and is exceeded by the difference', async () => {
    const { ask, spend } = await setup({
      providers: [priced(scripted('calm', words(90)))],
      budgets: { maxEstimateUsd: 0.01 },
      user: { budgetUsd: 0.1, budgetPeriod: 'month' },
    })
    expect(await ask()).toMatchObject({ success: true })
    expect(await ask()).toMatchObject({ success: true })
    expect(await spend()).toEqual([0.18, 0])
    expect(await ask()).toMatchObject(refused)
  })

  test('a budget has room for as many calls as it can pay, if they limit their answers', async () => {
    const provider = priced(held('slow'), { maxTokens: 128_000, chat: true })
    const { ask, spend } = await setup({ providers: [provider], user: { budgetUsd: 20, budgetPeriod: 'month' } })
    const replies = Array.from({ length: 20 }, () => ask({ maxTokens: 9_000 }))
    await expect.poll(() => provider.calls.length).toBe(2)
    expect(await spend()).toEqual([0, 18])
    provider.release('done')
    expect((await Promise.all(replies)).filter(({ success }) => success)).toHaveLength(2)
  })

  test.each([
    ['half a dollar', 3, 0.5],
    ['a tenth of a budget of more than 5 dollars', 20, 2],
  ])('a budget reserves %s for an answer without a limit', async (_amount, budgetUsd, reserved) => {
    const provider = priced(held('slow'), { maxTokens: 128_000, chat: true })
    const { core, credentials, spend } = await setup({
      providers: [provider],
      user: { budgetUsd, budgetPeriod: 'month' },
    })
    const messages = [{ role: 'user' as const, content: 'x' }]
    const reply = core.run(operations.generate, credentials, { model: 'any', messages })
    await expect.poll(() => provider.calls.length).toBe(1)
    expect(await spend()).toEqual([0, reserved])
    provider.release('done')
    await reply
  })

  test('a budget that was reserved from is spent, even if its period ends before the call', async () => {
    const provider = priced(held('slow'))
    const { ask, clock, readSpend, userId } = await setup({
      providers: [provider],
      user: { budgetUsd: 1, budgetPeriod: 'month' },
    })
    clock.jumpTo('2026-03-31T23:59:59.000Z')
    const reply = ask()
    await expect.poll(() => provider.calls.length).toBe(1)
    clock.advance(2_000)
    provider.release(words(20))
    expect(await reply).toMatchObject({ success: true })
    expect(await readSpend(userId, '2026-03')).toEqual([0.001, 0])
    expect(await readSpend(userId, '2026-04')).toBeUndefined()
  })

  test('a budget is reset when its period ends', async () => {
    const { ask, clock } = await setup({ user: { budgetUsd: 0.1, budgetPeriod: 'week' } })
    await ask()
    expect(await ask()).toMatchObject({ ...refused, error: { details: { reset: '2026-03-16T00:00:00.000Z' } } })
    clock.jumpTo('2026-03-16T00:00:00.000Z')
    expect(await ask()).toMatchObject({ success: true })
  })

  test('a budget changes take effect at once', async () => {
    const { ask, fairlead, userId } = await setup({ user: { budgetUsd: 0.1, budgetPeriod: 'month' } })
    await ask()
    expect(await ask()).toMatchObject(refused)
    await fairlead.users.patch({ id: userId, budgetUsd: 1 })
    expect(await ask()).toMatchObject({ success: true })
  })
})

describe('the settlement of a budget', () => {
  test('the settlement of a budget happens once, also if it is retried after an outage', async () => {
    const { ask, spend, stores, clock } = await setup()
    const { transact } = stores
    let transactions = 0
    // The second is the settlement. It is committed, but its answer is lost.
    stores.transact = async (work, options) => {
      const done = await transact(work, options)
      if (++transactions !== 2) return done
      throw new FairleadError('SERVICE_UNAVAILABLE', 'lost', { cause: new Error('the connection broke') })
    }
    let isDone = false
    const reply = ask().finally(() => (isDone = true))
    await expect.poll(() => (clock.advance(100), isDone)).toBe(true)
    expect(await reply).toMatchObject({ success: true })
    expect(transactions).toBe(3)
    expect(await spend()).toEqual([0.02, 0])
  })

  test('the settlement of a budget of a failed call waits until the store is back', async () => {
    const provider = { ...priced(scripted('calm', 'x')), generateText: async () => fail() }
    const { ask, spend, stores, clock } = await setup({ providers: [provider] })
    function fail(): never {
      stores.failNext(1)
      throw new ProviderError('give_up', 'failed')
    }
    expect(await ask()).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
    expect(await spend()).toEqual([0, 0.1])
    await expect.poll(() => (clock.advance(1_000), spend())).toEqual([0, 0])
  })

  test('the settlement of a budget of a stream that is broken off estimates what it cost', async () => {
    const provider = priced({
      ...scripted('calm', 'x'),
      async *streamText() {
        yield* begun('four', 'five', 'six.')
        await new Promise(() => {})
      },
    })
    const { core, credentials, spend } = await setup({ providers: [provider] })
    const reply = await core.run(operations.generate, credentials, { ...input, stream: true })
    if (!('events' in reply)) throw new Error('no stream')
    let chunks = 0
    for await (const { type } of reply.events) if (type === 'chunk' && ++chunks === 3) break
    await expect.poll(spend).toEqual([0.003, 0])
  })

  test('the settlement of a budget of a call that got no answer in time is what it reserved', async () => {
    const provider = priced(held('slow'))
    const { ask, clock, spend, used } = await setup({ providers: [provider] })
    const reply = ask()
    await expect.poll(() => provider.calls.length).toBe(1)
    // No attempt gets an answer.
    expect(await whileTimePasses(clock, reply, 10_000)).toMatchObject({ error: { code: 'PROVIDER_TIMEOUT' } })
    expect([await spend(), await used()]).toEqual([[0.1, 0], 0])
  })

  test('the settlement of a budget of a call that the provider refused is nothing', async () => {
    const { ask, spend } = await setup({ providers: [priced(failing('down', 'give_up'))] })
    expect(await ask()).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
    expect(await spend()).toEqual([0, 0])
  })

  test('the settlement of a budget of a call that its caller left is what it reserved', async () => {
    const provider = priced(held('slow'))
    const { core, credentials, spend } = await setup({ providers: [provider] })
    const caller = new AbortController()
    const reply = core.run(operations.generate, credentials, input, { signal: caller.signal })
    await expect.poll(() => provider.calls.length).toBe(1)
    caller.abort()
    await reply
    expect(await spend()).toEqual([0.1, 0])
  })

  test('the settlement of a budget of a call that its caller left is the cost of its usage record, with the tokens', async () => {
    const provider = priced(held('slow'))
    const { core, credentials, stores } = await setup({ providers: [provider] })
    const caller = new AbortController()
    const options = { signal: caller.signal, requestId: 'req_left' }
    const reply = core.run(operations.generate, credentials, { ...input, prompt: 'x'.repeat(400) }, options)
    await expect.poll(() => provider.calls.length).toBe(1)
    caller.abort()
    await reply
    expect(await stores.read((view) => view.usage.ofRequest('req_left'))).toMatchObject([
      { outcome: 'aborted', charged: true, costUsd: 0.1, promptTokens: 100, completionTokens: 100 },
    ])
  })
})

describe('what a process that ended has reserved', () => {
  /** Leaves $0.20 of $0.25 reserved for ten minutes. */
  async function crashed() {
    const world = await setup()
    const key = { budget: world.userId, period: '2026-03' }
    const expiresAt = world.clock.now() + 600_000
    await world.stores.transact((tx) =>
      tx.spend.reserve({ ...key, runId: 'run_1', amount: 20_000_000, expiresAt }, 25_000_000),
    )
    return world
  }

  test('what a process that ended has reserved counts as spent once it has expired, because its provider may bill it', async () => {
    const { core, clock, ask, spend } = await crashed()
    expect(await ask()).toMatchObject(refused)
    core.startJobs()
    clock.advance(600_000)
    await expect.poll(() => (clock.advance(60_000), spend())).toEqual([0.2, 0])
    expect(await ask()).toMatchObject(refused)
  })
})

describe('a model without a price', () => {
  const unknown = () => ({ ...scripted('calm', 'hi'), models: [{ ...fakeTextModel(), pricing: undefined }] }) as never

  test('a model without a price is rejected under a budget, with the setting that allows it', async () => {
    const { ask, used } = await setup({ providers: [unknown()] })
    expect(await ask()).toMatchObject({
      error: {
        code: 'FORBIDDEN',
        message:
          'model has no known price, which a budget requires: "calm/any". Set its price, or allow such models with FAIRLEAD_BUDGETS_ALLOW_UNPRICED',
        details: { field: 'model' },
      },
    })
    expect(await used()).toBe(0)
  })

  test('a model without a price is allowed without a budget', async () => {
    const { ask } = await setup({ providers: [unknown()], user: {} })
    expect(await ask()).toMatchObject({ success: true })
  })

  test('a model without a price is allowed by the operator until the budget is used up', async () => {
    const budgets = { allowUnpriced: true }
    const { ask } = await setup({ providers: [unknown()], budgets })
    expect(await ask()).toMatchObject({ success: true, meta: { costUsd: 0 } })
    const usedUp = await setup({ providers: [unknown()], budgets, user: { budgetUsd: 0 } })
    expect(await usedUp.ask()).toMatchObject(refused)
  })
})

describe('budget events', () => {
  test('budget events are emitted once for each share and period', async () => {
    const { ask, events, clock } = await setup({ user: { budgetUsd: 0.13, budgetPeriod: 'month' } })
    await ask({ maxTokens: 50 })
    await ask({ maxTokens: 50 })
    await ask({ maxTokens: 50 })
    expect(await events()).toEqual([])
    await ask({ maxTokens: 50 })
    expect(await events()).toEqual(['budget.warning 50 user'])
    await ask({ maxTokens: 50 })
    expect(await events()).toEqual(['budget.warning 50 user'])
    await ask({ maxTokens: 30 })
    expect(await events()).toEqual(['budget.warning 50 user', 'budget.warning 80 user'])
    clock.jumpTo('2026-04-01T00:00:00.000Z')
    for (let n = 0; n < 4; n++) await ask({ maxTokens: 20 })
    expect(await events()).toEqual(['budget.warning 50 user', 'budget.warning 50 user', 'budget.warning 80 user'])
  })

  test('budget events include that of a budget that is used up', async () => {
    const { ask, events } = await setup({
      budgets: { maxEstimateUsd: 0.001, thresholds: [] },
      user: { budgetUsd: 0.02 },
    })
    await ask()
    expect(await events()).toEqual(['budget.exceeded 100 user'])
    expect(await ask()).toMatchObject(refused)
    expect(await events()).toHaveLength(1)
  })

  test('budget events include that of the first call that a budget rejects, but not because of calls in progress', async () => {
    const provider = priced(held('slow'))
    const { ask, events } = await setup({ providers: [provider], user: { budgetUsd: 0.15 } })
    const reply = ask()
    await expect.poll(() => provider.calls.length).toBe(1)
    expect(await ask()).toMatchObject(refused)
    expect(await events()).toEqual([])
    expect(await ask({ maxTokens: 200 })).toMatchObject(refused)
    expect(await ask({ maxTokens: 200 })).toMatchObject(refused)
    expect(await events()).toEqual(['budget.exceeded 100 user'])
    provider.release('done')
    await reply
  })
})
