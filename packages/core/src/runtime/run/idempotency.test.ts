import { accounts } from '@fairlead/accounts'
import { describe, expect, test } from 'vitest'
import { newApiKeyToken } from '@fairlead/accounts/server'
import { hashToken } from '@fairlead/accounts/stores'
import { createFairlead } from '../../fairlead/create-fairlead.ts'
import { shipments } from '@fairlead/shipments'
import { operations, storedEvents, type Stores } from '@fairlead/testing/workspace'
import {
  blankPng,
  begun,
  textEnd,
  failing,
  held,
  fakePainter,
  scripted,
  shipmentInput,
  testClock,
  testCore,
  withOutages,
  testStores,
} from '@fairlead/testing'
import type { Provider } from '../../gateway/provider.ts'
import { textAnswer, textEvents } from '../../gateway/messages/text-answer.ts'
import type { Success } from './envelope.ts'
import { claimId, fingerprintOf } from './idempotency.ts'
import { acceptedInput } from '../operation.ts'
import { validate } from '../schema/validate.ts'
import { write } from '../../gateway/own-features.ts'

const { generate, createShipment, updateShipment, models } = operations
const greeting = { model: 'any', prompt: 'greet me' }
const keyed = { idempotencyKey: 'k-1' }

/** Returns a different answer each time: the number of its calls. */
function counting(): Provider & { readonly callCount: number } {
  let callCount = 0
  const answer = () => `answer ${++callCount}`
  return {
    ...scripted('counter', ''),
    get callCount() {
      return callCount
    },
    generateText: async () =>
      textAnswer(answer(), {
        usage: { promptTokens: 2, completionTokens: 2 },
        warnings: [{ field: 'topP', issue: 'is not honored' }],
      }),
    streamText: () => textEvents(answer().split(/(?= )/), { usage: { promptTokens: 2, completionTokens: 2 } }),
  }
}

async function setup(provider: Provider = counting()) {
  const world = await testCore({ providers: [provider] })
  const count = async (stores: Stores = world.stores) => ({
    shipments: (await stores.read((view) => view.shipments.list({}, { first: 'oldest', limit: 100 }))).length,
    events: (await storedEvents(stores)).length,
    used: (await stores.read((view) => view.counters.peek(world.keyId))).used,
  })
  return { ...world, count }
}

/** The stored reply as another request gets it, whatever its id is. */
function replayOf({ meta, ...reply }: Pick<Success<unknown>, 'meta'>) {
  const requestId = expect.not.stringMatching(`^${meta.requestId}$`)
  return { ...reply, meta: { ...meta, requestId, originalRequestId: meta.requestId }, replayed: true }
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('a repeated request with the same Idempotency-Key', () => {
  test('a repeated request with the same Idempotency-Key replays the response of a write', async () => {
    const { core, caller, count } = await setup()
    const first = await core.run(createShipment, caller, shipmentInput(), { ...keyed, requestId: 'req_1' })
    const again = await core.run(createShipment, caller, shipmentInput(), { ...keyed, requestId: 'req_2' })
    expect(first).toMatchObject({ success: true, version: 1, meta: { requestId: 'req_1' } })
    expect(first).not.toHaveProperty('replayed')
    expect(again).toEqual(replayOf(first))
    expect(again.meta).toMatchObject({ requestId: 'req_2', originalRequestId: 'req_1' })
    expect(await count()).toEqual({ shipments: 1, events: 1, used: 1 })
  })

  test('a repeated request with the same Idempotency-Key replays the response of a model call without calling the provider', async () => {
    const provider = counting()
    const { core, caller, count, clock } = await setup(provider)
    const first = await core.run(generate, caller, greeting, keyed)
    clock.advance(3_600_000)
    const again = await core.run(generate, caller, greeting, keyed)
    expect(first).toMatchObject({ data: { content: 'answer 1' }, meta: { warnings: [{ field: 'topP' }] } })
    expect(again).toEqual(replayOf(first))
    expect(provider.callCount).toBe(1)
    expect(await count()).toMatchObject({ used: 1 })
  })

  test('a repeated request with the same Idempotency-Key replays a stream as one chunk and the whole result', async () => {
    const provider = counting()
    const { core, caller, count } = await setup(provider)
    const stream = async () => {
      const reply = await core.run(generate, caller, { ...greeting, stream: true }, keyed)
      if (!reply.success || !('events' in reply)) throw new Error('this should have been a stream')
      return { replayed: reply.replayed, events: await collect(reply.events) }
    }
    const first = await stream()
    const again = await stream()
    expect(first.events.map(({ type }) => type)).toEqual(['chunk', 'chunk', 'done'])
    expect(again.replayed).toBe(true)
    const done = first.events[2]
    if (done?.type !== 'done') throw new Error('the stream should have ended with its result')
    expect(again.events).toMatchObject([
      { type: 'chunk', chunk: { content: 'answer 1' } },
      { type: 'done', reply: replayOf(done.reply) },
    ])
    expect(provider.callCount).toBe(1)
    expect(await count()).toMatchObject({ used: 1 })
  })

  test('a repeated request with the same Idempotency-Key replays the response of an unmetered operation', async () => {
    const { core, caller, count } = await setup()
    const unmetered = write({ ...createShipment, metered: false })
    const first = await core.run(unmetered, caller, shipmentInput(), keyed)
    expect(await core.run(unmetered, caller, shipmentInput(), keyed)).toEqual(replayOf(first))
    expect(await count()).toEqual({ shipments: 1, events: 1, used: 0 })
  })

  test('a repeated request with the same Idempotency-Key matches in any order of fields and with explicit defaults', async () => {
    const { core, caller } = await setup()
    await core.run(generate, caller, greeting, keyed)
    const again = await core.run(generate, caller, { temperature: 0.7, prompt: 'greet me', model: 'any' }, keyed)
    expect(again).toMatchObject({ replayed: true })
  })

  test('a repeated request with the same Idempotency-Key replays the response even if the model was removed', async () => {
    const { core, caller, clock, stores } = await setup()
    await core.run(generate, caller, greeting, keyed)
    const secretKeys = { current: 'shared' }
    const before = createFairlead({
      features: [accounts(), shipments()],
      providers: [counting()],
      stores,
      testing: { clock },
      secretKeys,
    })
    const first = await before.core.run(generate, caller, greeting, { idempotencyKey: 'k-2' })
    const without = createFairlead({
      features: [accounts(), shipments()],
      providers: [],
      stores,
      testing: { clock },
      secretKeys,
    })
    expect(await without.core.run(generate, caller, greeting)).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
    const again = await without.core.run(generate, caller, greeting, { idempotencyKey: 'k-2' })
    expect(again).toEqual(replayOf(first))
  })

  test('a repeated request with the same Idempotency-Key replays the response free of charge even if the quota is used up', async () => {
    const { core, addCaller } = await setup()
    const { credentials } = await addCaller({ user: { tier: 'enterprise', quotaLimit: 1 } })
    await core.run(generate, credentials, greeting, keyed)
    expect(await core.run(generate, credentials, greeting)).toMatchObject({ error: { code: 'QUOTA_EXCEEDED' } })
    expect(await core.run(generate, credentials, greeting, keyed)).toMatchObject({
      replayed: true,
      limits: { remaining: 0 },
    })
  })

  test('a repeated request with the same Idempotency-Key replays warnings in the spelling of the second transport', async () => {
    const { core, caller } = await setup()
    await core.run(generate, caller, greeting, { ...keyed, spell: (field) => field.toLowerCase() })
    expect(await core.run(generate, caller, greeting, { ...keyed, spell: (field) => `<${field}>` })).toMatchObject({
      meta: { warnings: [{ field: '<topP>', issue: 'is not honored' }] },
    })
  })

  test('a repeated request with the same Idempotency-Key runs again after 24 hours', async () => {
    const { core, caller, clock } = await setup()
    await core.run(generate, caller, greeting, keyed)
    clock.advance(24 * 3_600_000 - 1)
    expect(await core.run(generate, caller, greeting, keyed)).toMatchObject({ data: { content: 'answer 1' } })
    clock.advance(1)
    expect(await core.run(generate, caller, greeting, keyed)).toMatchObject({ data: { content: 'answer 2' } })
    expect(await core.run(generate, caller, greeting, keyed)).toMatchObject({
      replayed: true,
      data: { content: 'answer 2' },
    })
  })

  test('a repeated request with the same Idempotency-Key returns CONFLICT if the stored response cannot be decrypted', async () => {
    const { core, caller, clock, stores, count } = await setup()
    await core.run(createShipment, caller, shipmentInput(), keyed)
    const restarted = createFairlead({ features: [accounts(), shipments()], providers: [], stores, testing: { clock } })
    expect(await restarted.core.run(createShipment, caller, shipmentInput(), keyed)).toMatchObject({
      error: { code: 'CONFLICT' },
    })
    expect(await count()).toMatchObject({ shipments: 1 })
  })

  test('a repeated request with the same Idempotency-Key runs once for an embedding program', async () => {
    const { fairlead } = await setup()
    const first = await fairlead.shipments.create(shipmentInput(), keyed)
    expect(await fairlead.shipments.create(shipmentInput(), keyed)).toEqual(first)
  })
})

describe('a different request with the same Idempotency-Key', () => {
  test.each([
    ['another prompt', { ...greeting, prompt: 'greet them' }],
    ['another parameter', { ...greeting, seed: 7 }],
    ['a stream', { ...greeting, stream: true }],
  ])(
    'a different request with the same Idempotency-Key returns IDEMPOTENCY_KEY_REUSED for %s',
    async (_case, input) => {
      const { core, caller, count } = await setup()
      await core.run(generate, caller, greeting, keyed)
      expect(await core.run(generate, caller, input, keyed)).toMatchObject({
        error: { code: 'IDEMPOTENCY_KEY_REUSED' },
      })
      expect(await count()).toMatchObject({ used: 1 })
    },
  )

  test('a different request with the same Idempotency-Key runs if it is for another operation', async () => {
    const { core, caller } = await setup()
    await core.run(generate, caller, greeting, keyed)
    expect(await core.run(createShipment, caller, shipmentInput(), keyed)).toMatchObject({ success: true, version: 1 })
  })

  test('a different request with the same Idempotency-Key returns IDEMPOTENCY_KEY_REUSED for another record', async () => {
    const { core, caller } = await setup()
    const made = await Promise.all(['a', 'b'].map((name) => core.run(createShipment, caller, shipmentInput(name))))
    const [a, b] = made.map((reply) => (reply.success ? reply.data.id : ''))
    const update = (id = '') => core.run(updateShipment, caller, { ...shipmentInput(id), id }, keyed)
    await update(a)
    expect(await update(b)).toMatchObject({ error: { code: 'IDEMPOTENCY_KEY_REUSED' } })
  })
})

describe('an Idempotency-Key', () => {
  test.each(['', 'with space', 'é', 'a\nb', 'k'.repeat(256)])(
    'an Idempotency-Key is rejected as %j',
    async (idempotencyKey) => {
      const { core, caller } = await setup()
      expect(await core.run(generate, caller, greeting, { idempotencyKey })).toMatchObject({
        error: {
          code: 'INVALID_REQUEST',
          details: {
            field: 'idempotencyKey',
            issue: 'must be 1 to 255 visible ASCII characters, without spaces',
          },
        },
      })
    },
  )

  test.each(['k', 'k'.repeat(255), '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'])(
    'an Idempotency-Key is accepted as %j',
    async (idempotencyKey) => {
      const { core, caller } = await setup()
      await core.run(generate, caller, greeting, { idempotencyKey })
      expect(await core.run(generate, caller, greeting, { idempotencyKey })).toMatchObject({ replayed: true })
    },
  )

  test('an Idempotency-Key is rejected by anonymous operations', async () => {
    const { core, caller } = await setup()
    const login = write({ ...createShipment, access: { anonymous: true }, metered: false })
    expect(await core.run(login, caller, shipmentInput(), keyed)).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'idempotencyKey' } },
    })
  })

  test('an Idempotency-Key is ignored by reads', async () => {
    const { core, caller } = await setup()
    for (let time = 0; time < 2; time++) {
      expect(await core.run(models, caller, {}, keyed)).not.toHaveProperty('replayed')
    }
  })

  test('an Idempotency-Key is stored hashed and its response encrypted', async () => {
    const stored: unknown[] = []
    const stores = testStores()
    const watched: Stores = {
      ...stores,
      transact: (work) =>
        stores.transact((tx) =>
          work({
            ...tx,
            claims: {
              ...tx.claims,
              take: (claim, terms) => (stored.push(claim), tx.claims.take(claim, terms)),
              keep: (id, owner, outcome) => (stored.push(outcome), tx.claims.keep(id, owner, outcome)),
            },
          }),
        ),
    }
    const { core, caller } = await testCore({ stores: watched, providers: [scripted('calm', 'a canary sings')] })
    await core.run(generate, caller, { ...greeting, prompt: 'canary' }, { idempotencyKey: 'canary' })
    expect(stored).toHaveLength(2)
    expect(JSON.stringify(stored)).not.toContain('canary')
  })
})

describe('concurrent requests with one Idempotency-Key', () => {
  test('concurrent requests with one Idempotency-Key run a write once and replay its response to the others', async () => {
    const { core, caller, count } = await setup()
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => core.run(createShipment, caller, shipmentInput(), keyed)),
    )
    expect(replies.filter((reply) => reply.success && !('replayed' in reply))).toHaveLength(1)
    expect(replies.filter((reply) => 'replayed' in reply)).toHaveLength(49)
    expect(await count()).toEqual({ shipments: 1, events: 1, used: 1 })
  })

  test('concurrent requests with one Idempotency-Key replay the response of the one that took the last unit', async () => {
    const { core, addCaller, stores } = await setup()
    const { credentials, keyId } = await addCaller({ user: { tier: 'enterprise', quotaLimit: 3 } })
    const replies = await Promise.all(
      Array.from({ length: 9 }, () => core.run(createShipment, credentials, shipmentInput(), keyed)),
    )
    expect(replies.filter((reply) => 'replayed' in reply)).toHaveLength(8)
    expect(await stores.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 1 })
  })

  test('concurrent requests with one Idempotency-Key call the provider once and return CONFLICT to the others', async () => {
    const provider = held('slow')
    const { core, caller, count } = await setup(provider)
    const running = Array.from({ length: 50 }, () => core.run(generate, caller, greeting, keyed))
    await expect.poll(() => provider.calls.length).toBe(1)
    provider.release('hello')
    const replies = await Promise.all(running)
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    const conflicts = replies.filter((reply) => !reply.success)
    expect(new Set(conflicts.map((reply) => !reply.success && reply.error.code))).toEqual(new Set(['CONFLICT']))
    expect(conflicts[0]).toMatchObject({ retryAfterMs: 1000 })
    expect(provider.calls).toHaveLength(1)
    expect(await count()).toMatchObject({ used: 1 })
    expect(await core.run(generate, caller, greeting, keyed)).toMatchObject({ replayed: true })
  })
})

describe('an Idempotency-Key of a failed request', () => {
  test('an Idempotency-Key of a failed request is released after a write fails', async () => {
    const { core, caller, count } = await setup()
    await core.run(createShipment, caller, shipmentInput('a'))
    expect(await core.run(createShipment, caller, shipmentInput('a'), keyed)).toMatchObject({
      error: { code: 'CONFLICT' },
    })
    expect(await core.run(createShipment, caller, shipmentInput('b'), keyed)).toMatchObject({ success: true })
    expect(await count()).toMatchObject({ shipments: 2, used: 2 })
  })

  test('an Idempotency-Key of a failed request is released after the provider fails', async () => {
    const { core, caller, clock, stores } = await setup(failing('down', 'give_up'))
    expect(await core.run(generate, caller, greeting, keyed)).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
    const recovered = createFairlead({
      features: [accounts(), shipments()],
      providers: [counting()],
      testing: { clock },
      stores,
    })
    expect(await recovered.core.run(generate, caller, greeting, keyed)).toMatchObject({ data: { content: 'answer 1' } })
  })

  test('an Idempotency-Key of a failed request is released after the quota is exceeded', async () => {
    const { core, addCaller, stores, clock } = await setup()
    const { credentials } = await addCaller({ user: { tier: 'enterprise', quotaLimit: 0 } })
    expect(await core.run(generate, credentials, greeting, keyed)).toMatchObject({ error: { code: 'QUOTA_EXCEEDED' } })
    expect(await stores.transact((tx) => tx.claims.purge(clock.now() + 1, 9))).toBe(0)
  })

  test('an Idempotency-Key of a failed request is released after the caller disconnects', async () => {
    const provider = held('slow')
    const { core, caller } = await setup(provider)
    const leaving = new AbortController()
    const running = core.run(generate, caller, greeting, { ...keyed, signal: leaving.signal })
    await expect.poll(() => provider.calls.length).toBe(1)
    leaving.abort()
    await running
    void core.run(generate, caller, greeting, keyed)
    await expect.poll(() => provider.calls.length).toBe(2)
  })

  test('an Idempotency-Key of a failed request is released after its stream is closed early', async () => {
    const { core, caller } = await setup()
    const stream = async () => {
      const reply = await core.run(generate, caller, { ...greeting, stream: true }, keyed)
      if (!reply.success || !('events' in reply)) throw new Error('this should have been a stream')
      return reply
    }
    for await (const _ of (await stream()).events) break
    expect(await stream()).not.toHaveProperty('replayed')
  })

  test('an Idempotency-Key of a failed request is released after its effect could not be stored', async () => {
    const stores = withOutages(testStores())
    const { core, caller } = await testCore({ stores })
    stores.failNext(1)
    expect(await core.run(createShipment, caller, shipmentInput(), keyed)).toMatchObject({
      error: { code: 'SERVICE_UNAVAILABLE' },
    })
    expect(await core.run(createShipment, caller, shipmentInput(), keyed)).toMatchObject({ success: true })
  })
})

describe('an Idempotency-Key of a crashed process', () => {
  async function withCrash() {
    const clock = testClock()
    const stores = testStores({ clock })
    // The clock of the crashed process stands still, so that it never renews its lease.
    const provider = held('slow')
    const crashed = createFairlead({
      features: [accounts(), shipments()],
      providers: [provider],
      stores,
      testing: { clock: testClock() },
    })
    const { caller } = await testCore({ stores })
    void crashed.core.run(generate, caller, greeting, keyed)
    const healthy = createFairlead({
      features: [accounts(), shipments()],
      providers: [scripted('calm', 'hello')],
      stores,
      testing: { clock },
    })
    await expect
      .poll(() => healthy.core.run(generate, caller, greeting, keyed))
      .toMatchObject({ error: { code: 'CONFLICT' } })
    return { clock, retry: () => healthy.core.run(generate, caller, greeting, keyed) }
  }

  test('an Idempotency-Key of a crashed process is released after 60 seconds, and its request then runs once', async () => {
    const { clock, retry } = await withCrash()
    clock.advance(59_999)
    expect(await retry()).toMatchObject({ error: { code: 'CONFLICT' } })
    clock.advance(1)
    expect(await retry()).toMatchObject({ success: true, data: { content: 'hello' } })
    expect(await retry()).toMatchObject({ replayed: true })
  })

  test('an Idempotency-Key of a crashed process stays claimed for as long as a running request takes', async () => {
    const provider = held('slow')
    const { core, addCaller, clock, stores } = await testCore({ providers: [provider], timeouts: { totalMs: 600_000 } })
    const { credentials: caller, keyId } = await addCaller()
    const running = core.run(generate, caller, greeting, keyed)
    await expect.poll(() => provider.calls.length).toBe(1)
    const id = claimId({ kind: 'account', userId: '', credential: { kind: 'key', id: keyId } }, generate, 'k-1')
    const leaseEnd = async () => (await stores.read((view) => view.claims.find(id, 0)))?.leaseUntil
    for (let seconds = 0; seconds < 180; seconds += 20) {
      clock.advance(20_000)
      await expect.poll(leaseEnd).toBe(clock.now() + 60_000)
    }
    expect(await core.run(generate, caller, greeting, keyed)).toMatchObject({ error: { code: 'CONFLICT' } })
    provider.release('hello')
    expect(await running).toMatchObject({ success: true })
    expect(await core.run(generate, caller, greeting, keyed)).toMatchObject({ replayed: true })
  })
})

describe('an Idempotency-Key of a process that was frozen for longer than its lease', () => {
  /** Node A is frozen: its clock stands still, so it does not renew its lease. Node B has the clock of the store. */
  async function twoNodes(provider: Provider = held('slow')) {
    const clock = testClock()
    const stores = testStores({ clock })
    const secretKeys = { current: 'shared' }
    const { caller, keyId } = await testCore({ stores })
    const a = createFairlead({
      features: [accounts(), shipments()],
      providers: [provider],
      stores,
      secretKeys,
      testing: { clock: testClock() },
    })
    const b = createFairlead({
      features: [accounts(), shipments()],
      providers: [scripted('calm', 'of B')],
      stores,
      secretKeys,
      testing: { clock },
    })
    const used = async () => (await stores.read((view) => view.counters.peek(keyId))).used
    const usage = (requestId: string) => stores.read((view) => view.usage.ofRequest(requestId))
    return { a, b, caller, clock, stores, used, usage }
  }

  test('an Idempotency-Key of a process that was frozen for longer than its lease has one outcome: the frozen node replays it and refunds its unit', async () => {
    const provider = held('slow')
    const { a, b, caller, clock, used, usage } = await twoNodes(provider)
    const frozen = a.core.run(generate, caller, greeting, { ...keyed, requestId: 'req_a' })
    await expect.poll(() => provider.calls.length).toBe(1)
    clock.advance(60_000)
    const answered = await b.core.run(generate, caller, greeting, { ...keyed, requestId: 'req_b' })
    expect(answered).toMatchObject({ success: true, data: { content: 'of B' } })
    provider.release('of A')
    // The unit of the first request has been refunded.
    expect(await frozen).toMatchObject({ ...replayOf(answered), limits: { remaining: 999 } })
    expect(await used()).toBe(1)
    expect(await usage('req_a')).toMatchObject([{ outcome: 'CONFLICT', charged: false }])
    expect(await usage('req_b')).toMatchObject([{ outcome: 'ok', charged: true }])
    expect(await a.core.run(generate, caller, greeting, keyed)).toMatchObject({
      replayed: true,
      data: { content: 'of B' },
    })
  })

  test('an Idempotency-Key of a process that was frozen for longer than its lease stores no records of the discarded result', async () => {
    const painted = Promise.withResolvers<void>()
    let called = false
    const provider: Provider = {
      ...fakePainter('slow'),
      async generateImage({ width, height }) {
        called = true
        await painted.promise
        return { png: blankPng(width, height) }
      },
    }
    const { a, caller, clock, stores } = await twoNodes(provider)
    const input = { model: 'picture', prompt: 'a wall', size: '256x256' }
    const frozen = a.core.run(operations.generateImage, caller, input, { ...keyed, requestId: 'req_a' })
    await expect.poll(() => called).toBe(true)
    clock.advance(60_000)
    const b = createFairlead({
      features: [accounts(), shipments()],
      providers: [fakePainter('quick')],
      stores,
      secretKeys: { current: 'shared' },
      testing: { clock },
    })
    const answered = await b.core.run(operations.generateImage, caller, input, keyed)
    let added = 0
    const { transact } = stores
    stores.transact = (work) =>
      transact((tx) => work({ ...tx, images: { ...tx.images, add: (image) => (added++, tx.images.add(image)) } }))
    painted.resolve()
    // The unit of the first request has been refunded.
    expect(await frozen).toMatchObject({ ...replayOf(answered), limits: { remaining: 999 } })
    expect(added).toBe(1)
    expect(await stores.transact((tx) => tx.images.purge(clock.now() + 1, 10))).toHaveLength(1)
  })

  test('an Idempotency-Key of a process that was frozen for longer than its lease returns CONFLICT while the request that took it over is in progress', async () => {
    const provider = held('slow')
    const { a, caller, clock, stores, used } = await twoNodes(provider)
    const frozen = a.core.run(generate, caller, greeting, keyed)
    await expect.poll(() => provider.calls.length).toBe(1)
    clock.advance(60_000)
    const second = held('second')
    const c = createFairlead({
      features: [accounts(), shipments()],
      providers: [second],
      stores,
      secretKeys: { current: 'shared' },
      testing: { clock },
    })
    const running = c.core.run(generate, caller, greeting, keyed)
    await expect.poll(() => second.calls.length).toBe(1)
    provider.release('of A')
    expect(await frozen).toMatchObject({ error: { code: 'CONFLICT' }, retryAfterMs: 1_000 })
    second.release('of C')
    expect(await running).toMatchObject({ data: { content: 'of C' } })
    expect(await used()).toBe(1)
  })

  test('an Idempotency-Key of a process that was frozen for longer than its lease returns CONFLICT after the request that took it over failed', async () => {
    const provider = held('slow')
    const { a, b, caller, clock, stores, used } = await twoNodes(provider)
    const frozen = a.core.run(generate, caller, greeting, keyed)
    await expect.poll(() => provider.calls.length).toBe(1)
    clock.advance(60_000)
    const c = createFairlead({
      features: [accounts(), shipments()],
      providers: [failing('down', 'give_up')],
      stores,
      testing: { clock },
    })
    expect(await c.core.run(generate, caller, greeting, keyed)).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
    provider.release('of A')
    expect(await frozen).toMatchObject({ error: { code: 'CONFLICT' }, retryAfterMs: 1_000 })
    expect(await used()).toBe(0)
    expect(await b.core.run(generate, caller, greeting, keyed)).toMatchObject({ data: { content: 'of B' } })
  })

  test('an Idempotency-Key of a process that was frozen for longer than its lease ends a stream that has sent chunks with CONFLICT and keeps it charged', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const provider: Provider = {
      ...scripted('slow', ''),
      async *streamText() {
        yield* begun('of A')
        await promise
        yield* textEnd()
      },
    }
    const { a, b, caller, clock, used, usage } = await twoNodes(provider)
    const input = { ...greeting, stream: true }
    const reply = await a.core.run(generate, caller, input, { ...keyed, requestId: 'req_a' })
    if (!reply.success || !('events' in reply)) throw new Error('this should have been a stream')
    clock.advance(60_000)
    const other = await b.core.run(generate, caller, input, keyed)
    if (!other.success || !('events' in other)) throw new Error('this should have been a stream')
    await collect(other.events)
    resolve()
    const events = await collect(reply.events)
    expect(events.map(({ type }) => type)).toEqual(['chunk', 'error'])
    expect(events.at(-1)).toMatchObject({ reply: { error: { code: 'CONFLICT' } } })
    expect(await usage('req_a')).toMatchObject([{ outcome: 'partial', charged: true }])
    expect(await used()).toBe(2)
  })
})

describe('one Idempotency-Key of two credentials', () => {
  test('one Idempotency-Key of two credentials gives each of two users their own response', async () => {
    const provider = counting()
    const { core, caller, addCaller } = await setup(provider)
    const { credentials: other } = await addCaller()
    expect(await core.run(generate, caller, greeting, keyed)).toMatchObject({ data: { content: 'answer 1' } })
    const theirs = await core.run(generate, other, greeting, keyed)
    expect(theirs).toMatchObject({ data: { content: 'answer 2' } })
    expect(theirs).not.toHaveProperty('replayed')
    expect(provider.callCount).toBe(2)
  })

  test('one Idempotency-Key of two credentials gives each API key of a user its own response', async () => {
    const provider = counting()
    const { core, addCaller, stores } = await setup(provider)
    const { credentials, keyId } = await addCaller()
    const token = newApiKeyToken()
    await stores.transact(async (tx) => {
      const key = await tx.keys.find(keyId)
      if (key) await tx.keys.add({ ...key, id: 'key_2' }, hashToken(token))
    })
    await core.run(generate, credentials, greeting, keyed)
    const reply = await core.run(generate, { kind: 'bearer', token }, greeting, keyed)
    expect(reply).toMatchObject({ success: true })
    expect(reply).not.toMatchObject({ replayed: true })
    expect(provider.callCount).toBe(2)
  })
})

describe('fingerprintOf', () => {
  test('fingerprintOf depends on the values of an input but not on the order of its fields', () => {
    expect(fingerprintOf({ a: 1, b: { c: [1, 2], d: null } })).toBe(fingerprintOf({ b: { d: null, c: [1, 2] }, a: 1 }))
    const prints = [{}, { a: 1 }, { a: '1' }, { a: [1] }, { a: [2, 1] }, { a: [1, 2] }, { a: { b: 1 } }, { 'a.b': 1 }]
    prints.push({ a: 'x'.repeat(1_000_001) }, { a: 'x'.repeat(1_000_002) })
    expect(new Set(prints.map(fingerprintOf)).size).toBe(prints.length)
  })

  test('fingerprintOf of a text with a prompt stays the same, so that its key can be repeated at another release', () => {
    const prompt = { model: 'instant', prompt: 'Hello' }
    const settings = { temperature: 0.2, maxTokens: 50, stop: ['\n'], stream: true }
    const prints = [prompt, { ...prompt, ...settings }].map((input) =>
      fingerprintOf(validate(acceptedInput(generate), input)),
    )
    expect(prints).toEqual([
      '8bf2b243c2394a4a32c3cc2ab607a870020f965800c8321c2a89f7481bdc1d94',
      'e367747042638c15f4237e0ee4fe751b582aef0ee9b54fc22c568132a3066dd0',
    ])
  })
})
