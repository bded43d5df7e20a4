import type { GatewayTransaction } from '../../gateway/images/images.ts'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { generateText } from '../../gateway/text/generate-text.ts'
import { listModels } from '../../gateway/models.ts'
import type { Provider } from '../../gateway/provider.ts'
import {
  failing,
  held,
  scripted,
  fakeTextModel,
  someWebhook,
  type TestCore,
  testCore,
  whileTimePasses,
  withOutages,
  testStores,
} from '@fairlead/testing'
import { FairleadError } from '../errors.ts'
import { defineEvent } from '../events/event-type.ts'
import { createIds } from '../id.ts'
import type { RunOptions } from './run-options.ts'
import type { Stores } from '@fairlead/testing/workspace'
import { read, write } from '../../gateway/own-features.ts'

const greeting = { model: 'any', prompt: 'greet me' }

const longNamed = Array.from({ length: 5 }, (_, index) => fakeTextModel({ id: `${'a'.repeat(60)}${index}` }))

describe('run', () => {
  test('run returns the data with the provider and attempts in its metadata', async () => {
    const { core, caller } = await testCore({ providers: [scripted('calm', 'hello there')] })
    const reply = await core.run(generateText, caller, greeting, { requestId: 'req_1' })
    expect(reply).toMatchObject({
      success: true,
      data: { content: 'hello there', model: 'any', usage: { promptTokens: 2, completionTokens: 2, totalTokens: 4 } },
      meta: {
        requestId: 'req_1',
        timestamp: '2026-03-14T09:26:53.589Z',
        provider: 'calm',
        attempts: 1,
        cached: false,
        costUsd: 0,
      },
    })
  })

  test('run returns the warnings of the provider', async () => {
    const warnings = [{ field: 'topP', issue: 'is not honored' }]
    const { core, caller } = await testCore({ providers: [scripted('calm', 'hi', { warnings })] })
    expect(await core.run(generateText, caller, greeting)).toMatchObject({ meta: { warnings } })
  })

  test('run truncates names sent by the caller to 120 characters and messages to 300', async () => {
    const { core, caller } = await testCore({ providers: [{ ...scripted('calm', 'hi'), models: longNamed }] })
    const reply = await core.run(generateText, caller, { ...greeting, model: 'x'.repeat(200) })
    if (reply.success) throw new Error('an unknown model answered')
    const { message, details } = reply.error
    expect(details.issue).toMatch(/^unknown model "x{119}…"; models of type text: a{60}0, a{60}1, /)
    expect(message).toHaveLength(300)
    expect(message).toMatch(/^model: unknown model "x+…".*…$/)
    const unknown = await core.run(generateText, caller, { ...greeting, ['y'.repeat(1_000_000)]: 1 })
    expect(unknown).toMatchObject({ error: { details: { field: `${'y'.repeat(119)}…` } } })
  })

  test('run uses the spelling of the transport in issues, messages, and suggestions', async () => {
    const { core, caller } = await testCore()
    const spell = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const reply = await core.run(generateText, caller, { ...greeting, topP: 3, maxToken: 1 }, { spell })
    expect(reply).toMatchObject({
      error: {
        message: 'top_p must be between 0 and 1 (and 1 more)',
        details: {
          field: 'top_p',
          issues: [{ field: 'top_p' }, { issue: 'is not a known field; did you mean "max_tokens"?' }],
        },
      },
    })
  })

  test('run masks an unexpected error and logs it with the request id', async () => {
    const { core, caller, logged } = await testCore()
    const bug = read({
      ...listModels,
      run: async () => {
        throw new Error('secret of the inside')
      },
    })
    const reply = await core.run(bug, caller, {}, { requestId: 'req_9' })
    expect(reply).toMatchObject({ success: false, error: { code: 'INTERNAL_ERROR' } })
    expect(JSON.stringify(reply)).not.toContain('secret')
    expect(logged).toContainEqual(
      expect.objectContaining({ level: 'error', facts: expect.objectContaining({ requestId: 'req_9' }) }),
    )
  })
})

describe('authentication and authorization', () => {
  test.each([
    ['without credentials', { kind: 'none' } as const],
    ['with a malformed key', { kind: 'bearer', token: 'hunter2' } as const],
    ['with a mistyped key', { kind: 'bearer', token: `fl_${'0'.repeat(49)}` } as const],
  ])('a caller %s is rejected', async (_case, credentials) => {
    const { core } = await testCore()
    expect(await core.run(listModels, credentials, {})).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
  })

  test('a key of another service is rejected', async () => {
    const { core } = await testCore()
    const { caller: foreign } = await testCore()
    expect(await core.run(listModels, foreign, {})).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
  })

  test.each([
    ['revoked', { revokedAt: 0 }],
    ['expired', { expiresAt: Date.parse('2026-03-14T09:26:53.589Z') }],
  ])('a key that is %s is rejected', async (_case, key) => {
    const { core, addCaller } = await testCore()
    const { credentials } = await addCaller({ key })
    expect(await core.run(listModels, credentials, {})).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
  })

  test('a key is valid until the millisecond in which it expires', async () => {
    const { core, addCaller, clock } = await testCore()
    const { credentials } = await addCaller({ key: { expiresAt: clock.now() + 1 } })
    expect(await core.run(listModels, credentials, {})).toMatchObject({ success: true })
    clock.advance(1)
    expect(await core.run(listModels, credentials, {})).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
  })

  test('a suspended user gets FORBIDDEN', async () => {
    const { core, addCaller } = await testCore()
    const { credentials } = await addCaller({ user: { status: 'suspended' } })
    expect(await core.run(listModels, credentials, {})).toMatchObject({ error: { code: 'FORBIDDEN' } })
  })

  test('a key without the scope gets FORBIDDEN, free of charge', async () => {
    const { core, addCaller } = await testCore()
    const { credentials } = await addCaller({ key: { scopes: ['models'] } })
    const reply = await core.run(generateText, credentials, greeting)
    expect(reply).toMatchObject({ error: { code: 'FORBIDDEN' }, limits: { remaining: 1000 } })
  })

  test('an operation for admins rejects members', async () => {
    const { core, caller, addCaller } = await testCore()
    const forAdmins = read({ ...listModels, access: { scope: 'models', role: 'admin' } })
    const { credentials: admin } = await addCaller({ user: { role: 'admin' } })
    expect(await core.run(forAdmins, caller, {})).toMatchObject({ error: { code: 'FORBIDDEN' } })
    expect(await core.run(forAdmins, admin, {})).toMatchObject({ success: true })
  })
})

describe('the quota', () => {
  test('the quota is charged one unit for a success', async () => {
    const { core, caller } = await testCore()
    const reply = await core.run(generateText, caller, greeting)
    expect(reply).toMatchObject({ success: true, limits: { limit: 1000, remaining: 999 } })
  })

  test('the quota resets at the end of the month', async () => {
    const { core, caller } = await testCore()
    const reply = await core.run(listModels, caller, {})
    expect(reply.limits?.resetAt).toBe(Date.parse('2026-04-01T00:00:00.000Z'))
    expect(reply.limits?.windowMs).toBe(31 * 24 * 3600 * 1000)
  })

  test.each([
    ['an unknown model', { model: 'none', prompt: 'x' }, scripted('calm', 'hi')],
    ['a missing field', { model: 'any' }, scripted('calm', 'hi')],
    ['a provider that fails', greeting, failing('down', 'give_up')],
    ['a provider that is busy', greeting, failing('busy', 'rate_limited')],
    ['refused content', greeting, failing('prim', 'content_refused')],
  ])('the quota is not charged for %s', async (_case, input, provider) => {
    const { core, caller } = await testCore({ providers: [provider] })
    expect(await core.run(generateText, caller, input)).toMatchObject({ success: false, limits: { remaining: 1000 } })
  })

  test('the quota rejects a request beyond the limit before the provider is called', async () => {
    const provider = held('slow')
    const { core, addCaller, clock } = await testCore({ providers: [provider] })
    const { credentials } = await addCaller({ user: { tier: 'enterprise', quotaLimit: 0 } })
    const reply = await core.run(generateText, credentials, greeting)
    expect(reply).toMatchObject({
      error: { code: 'QUOTA_EXCEEDED' },
      limits: { limit: 0, remaining: 0 },
      retryAfterMs: Date.parse('2026-04-01T00:00:00.000Z') - clock.now(),
    })
    expect(provider.calls).toHaveLength(0)
  })

  test('the quota admits exactly the remaining units of 100 concurrent requests', async () => {
    const { core, addCaller } = await testCore()
    const { credentials } = await addCaller({ user: { tier: 'enterprise', quotaLimit: 10 } })
    const replies = await Promise.all(Array.from({ length: 100 }, () => core.run(generateText, credentials, greeting)))
    expect(replies.filter(({ success }) => success)).toHaveLength(10)
    expect(replies.filter((reply) => !reply.success && reply.error.code === 'QUOTA_EXCEEDED')).toHaveLength(90)
  })

  test('the quota is refunded to the month in which it was reserved', async () => {
    const provider = held('slow')
    const { core, caller, clock, stores, keyId } = await testCore({
      providers: [provider],
      timeouts: { totalMs: 1000 },
    })
    clock.jumpTo('2026-03-31T23:59:59.500Z')
    const running = core.run(generateText, caller, greeting)
    await expect.poll(() => provider.calls.length).toBe(1)
    clock.advance(1000)
    expect(await running).toMatchObject({ error: { code: 'PROVIDER_TIMEOUT' } })
    const reading = await stores.read((view) => view.counters.peek(keyId))
    expect(reading).toEqual({ period: '2026-04', used: 0 })
    clock.jumpTo('2026-03-31T23:59:59.999Z')
    expect(await stores.read((view) => view.counters.peek(keyId))).toEqual({ period: '2026-03', used: 0 })
  })

  test('the quota does not apply to the embedding program', async () => {
    const { core } = await testCore()
    const reply = await core.run(generateText, { kind: 'embedded' }, greeting)
    expect(reply).toMatchObject({ success: true })
    expect(reply.limits).toBeUndefined()
  })
})

describe('a usage record', () => {
  test('a usage record contains the outcome, the model, and the tokens of a request', async () => {
    const { core, caller, stores, keyId } = await testCore()
    await core.run(generateText, caller, greeting, { requestId: 'req_7' })
    expect(await stores.read((view) => view.usage.ofRequest('req_7'))).toMatchObject([
      {
        counter: keyId,
        operation: 'generate',
        outcome: 'ok',
        charged: true,
        model: 'any',
        provider: 'calm',
        promptTokens: 2,
        completionTokens: 2,
      },
    ])
  })

  test('a usage record contains the error code of a failed request', async () => {
    const { core, caller, stores } = await testCore({ providers: [failing('down', 'give_up')] })
    await core.run(generateText, caller, greeting, { requestId: 'req_7' })
    const records = await stores.read((view) => view.usage.ofRequest('req_7'))
    expect(records).toMatchObject([{ outcome: 'PROVIDER_ERROR', charged: false }])
  })
})

describe('a caller who disconnects', () => {
  test('a caller who disconnects aborts the provider call and is charged because the provider was called', async () => {
    const provider = held('slow')
    const { core, caller, stores, keyId } = await testCore({ providers: [provider] })
    const leaving = new AbortController()
    const running = core.run(generateText, caller, greeting, { requestId: 'req_7', signal: leaving.signal })
    await expect.poll(() => provider.calls.length).toBe(1)
    leaving.abort()
    expect(await running).toMatchObject({ success: false })
    expect(provider.calls[0]?.signal.aborted).toBe(true)
    expect(await stores.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 1 })
    expect(await stores.read((view) => view.usage.ofRequest('req_7'))).toMatchObject([
      { outcome: 'aborted', charged: true, provider: 'slow' },
    ])
  })

  test('a caller who disconnects while the call is queued is not charged', async () => {
    const provider = held('slow')
    const { core, caller, addCaller, stores, keyId } = await testCore({
      providers: [provider],
      concurrency: { perTarget: 1 },
    })
    const { credentials: other } = await addCaller()
    void core.run(generateText, other, greeting)
    await expect.poll(() => provider.calls.length).toBe(1)
    const leaving = new AbortController()
    const running = core.run(generateText, caller, greeting, { requestId: 'req_7', signal: leaving.signal })
    await expect.poll(() => stores.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 1 })
    leaving.abort()
    await running
    expect(provider.calls).toHaveLength(1)
    expect(await stores.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 0 })
    expect(await stores.read((view) => view.usage.ofRequest('req_7'))).toMatchObject([
      { outcome: 'aborted', charged: false },
    ])
  })

  test('a caller who disconnects before the first chunk of a stream is charged', async () => {
    const provider: Provider = {
      ...scripted('slow', ''),
      streamText: (_request, { signal }) => silentUntil(signal),
    }
    const { core, caller, stores, keyId } = await testCore({ providers: [provider] })
    const leaving = new AbortController()
    const running = core.run(
      generateText,
      caller,
      { ...greeting, stream: true },
      { requestId: 'req_7', signal: leaving.signal },
    )
    await expect.poll(() => stores.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 1 })
    await new Promise((resolve) => setImmediate(resolve))
    leaving.abort()
    expect(await running).toMatchObject({ success: false })
    expect(await stores.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 1 })
    expect(await stores.read((view) => view.usage.ofRequest('req_7'))).toMatchObject([
      { outcome: 'aborted', charged: true },
    ])
  })
})

/** A stream without events that ends when its signal aborts. */
async function* silentUntil(signal: AbortSignal): AsyncGenerator<never> {
  yield* await new Promise<never[]>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

describe('200 concurrent calls of a caller who disconnects', () => {
  test('200 concurrent calls of a caller who disconnects are all charged because the provider was called for each', async () => {
    const provider = held('slow')
    const { core, caller, stores, keyId } = await testCore({ providers: [provider] })
    const leaving = new AbortController()
    const running = Array.from({ length: 200 }, () =>
      core.run(generateText, caller, greeting, { signal: leaving.signal }),
    )
    await expect.poll(() => provider.calls.length).toBe(200)
    leaving.abort()
    await Promise.all(running)
    expect(await stores.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 200 })
  })
})

describe('a write', () => {
  const renamed = defineEvent({
    type: 'image.renamed',
    summary: 'An image was renamed, for this test.',
    version: 1,
    data: z.object({ id: z.string(), name: z.string() }),
    example: { id: 'img_1', name: 'Ada' },
  })
  const rename = write({
    name: 'rename',
    summary: 'Renames, for this test.',
    access: { scope: 'users' },
    metered: true,
    input: z.strictObject({ name: z.string(), twice: z.boolean().default(false) }),
    output: z.object({ id: z.string(), name: z.string() }),
    creates: true,
    async apply(tx: GatewayTransaction, call, { name, twice }) {
      const id = call.newId('img')
      await tx.images.add({ id, userId: null, payer: null, bytes: 1, model: name, createdAt: call.at })
      call.emit(renamed, { id, name })
      if (twice)
        throw new FairleadError('CONFLICT', 'That name is taken.', { issues: [{ field: 'name', issue: 'is taken' }] })
      return { id, name }
    },
  })

  test('a write commits its effect, event, unit, and usage together', async () => {
    const { core, caller, stores, keyId } = await testCore()
    const reply = await core.run(rename, caller, { name: 'Ada' }, { requestId: 'req_7' })
    expect(reply).toMatchObject({ success: true, data: { name: 'Ada' }, limits: { remaining: 999 } })
    const id = reply.success ? reply.data.id : ''
    const kept = await stores.read(async (view) => ({
      effect: await view.images.find(id),
      events: (await view.events.list({}, { first: 'oldest', limit: 9 })).length,
      used: (await view.counters.peek(keyId)).used,
      usage: await view.usage.ofRequest('req_7'),
    }))
    expect(kept).toMatchObject({ effect: { model: 'Ada' }, events: 1, used: 1, usage: [{ outcome: 'ok' }] })
  })

  test('a write takes no counter into its transaction, which would lock it until the commit', async () => {
    const inner = testStores()
    const inTransactions: unknown[] = []
    const stores: Stores = {
      ...inner,
      transact: (work) =>
        inner.transact((tx) =>
          work({
            ...tx,
            counters: {
              ...tx.counters,
              reserve: (counter, limit) => (inTransactions.push(counter), tx.counters.reserve(counter, limit)),
            },
          }),
        ),
    }
    const { core, caller, keyId } = await testCore({ stores })
    expect(await core.run(rename, caller, { name: 'Ada' })).toMatchObject({ limits: { remaining: 999 } })
    expect(inTransactions).toEqual([])
    expect(await stores.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 1 })
  })

  test('a write gets its unit back once a store that was unavailable can write the refund', async () => {
    const inner = testStores()
    let failures = 0
    const stores: Stores = {
      ...inner,
      async transact(work) {
        if (failures-- > 0) throw new FairleadError('SERVICE_UNAVAILABLE', 'The store is unavailable.')
        return inner.transact(work)
      },
    }
    const { core, caller, clock, keyId } = await testCore({ stores })
    await core.run(rename, caller, { name: 'Ada' })
    failures = 2
    expect(await core.run(rename, caller, { name: 'Eve' })).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
    await expect
      .poll(() => (clock.advance(1_000), inner.read((view) => view.counters.peek(keyId))))
      .toMatchObject({ used: 1 })
  })

  test('a write that fails after its first change is rolled back and free of charge', async () => {
    const { core, caller, stores, keyId } = await testCore()
    const reply = await core.run(rename, caller, { name: 'Ada', twice: true }, { requestId: 'req_7' })
    expect(reply).toMatchObject({
      error: { code: 'CONFLICT', details: { field: 'name', issue: 'is taken' } },
      limits: { remaining: 1000 },
    })
    const kept = await stores.read(async (view) => ({
      events: (await view.events.list({}, { first: 'oldest', limit: 9 })).length,
      used: (await view.counters.peek(keyId)).used,
      usage: await view.usage.ofRequest('req_7'),
    }))
    expect(kept).toMatchObject({ events: 0, used: 0, usage: [{ outcome: 'CONFLICT', charged: false }] })
  })
})

describe('a store that is unavailable', () => {
  test('a store that is unavailable for a short time does not lose a finished result', async () => {
    const stores = withOutages(testStores())
    const provider = held('slow')
    const { core, caller, clock, keyId } = await testCore({ providers: [provider], stores })
    const running = core.run(generateText, caller, greeting, { requestId: 'req_7' })
    await expect.poll(() => provider.calls.length).toBe(1)
    stores.failNext(3)
    provider.release('hello')
    expect(await whileTimePasses(clock, running, 100)).toMatchObject({ success: true, data: { content: 'hello' } })
    expect(await stores.read((view) => view.usage.ofRequest('req_7'))).toMatchObject([{ outcome: 'ok', charged: true }])
    expect(await stores.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 1 })
  })

  test('a store that is unavailable for a short time causes a warning in the log and no error for the caller', async () => {
    const stores = withOutages(testStores())
    const provider = held('slow')
    const { core, caller, clock, logged } = await testCore({ providers: [provider], stores })
    const running = core.run(generateText, caller, greeting, { requestId: 'req_7' })
    await expect.poll(() => provider.calls.length).toBe(1)
    stores.failNext(3)
    provider.release('hello')
    expect(await whileTimePasses(clock, running, 100)).toMatchObject({ success: true })
    expect(logged).toMatchObject([
      { level: 'warn', facts: { requestId: 'req_7', error: { message: 'The store is unavailable.' } } },
    ])
  })

  /** Calls of a model, whose answers arrive when the store has become unavailable. */
  async function answeredInAnOutage(options: readonly RunOptions[], prepare: (world: TestCore) => unknown = () => {}) {
    const stores = withOutages(testStores())
    const provider = held('slow')
    const world = await testCore({ providers: [provider], stores })
    const { core, caller, clock, keyId, logged } = world
    await prepare(world)
    const running = options.map((each) => core.run(generateText, caller, greeting, each))
    await expect.poll(() => provider.calls.length).toBe(options.length)
    stores.failNext(Infinity)
    provider.release('hello')
    const replies = await whileTimePasses(clock, Promise.all(running), 100)
    const codes = replies.map((reply) => (reply.success ? 'ok' : reply.error.code))
    const used = async () => (await stores.read((view) => view.counters.peek(keyId))).used
    const records = (id: string) => stores.read((view) => view.usage.ofRequest(id))
    /** The store is available again, and time passes. */
    const afterwards = <Value>(look: () => Promise<Value>) => {
      stores.failNext(0)
      return expect.poll(() => (clock.advance(1_000), look()))
    }
    const queueLogs = () => logged.filter(({ message }) => message.includes('settlements'))
    return { ...world, stores, codes, used, records, afterwards, queueLogs }
  }
  const requests = (count: number) => Array.from({ length: count }, (_, index) => ({ requestId: `req_${index}` }))

  test('a store that is unavailable when answers have arrived hands them out, and stores them once it is available again', async () => {
    const { codes, used, records, afterwards, queueLogs } = await answeredInAnOutage(requests(12))
    expect([codes, await used(), await records('req_7')]).toEqual([codes.map(() => 'ok'), 12, []])
    await afterwards(() => records('req_11')).toMatchObject([{ outcome: 'ok', charged: true }])
    expect(await used()).toBe(12)
    expect(queueLogs()).toMatchObject([
      { level: 'warn', message: 'store unavailable, queueing settlements until it is back' },
      { level: 'warn', facts: { written: 12, dropped: 0 } },
    ])
  })

  test('a store that is unavailable also for reads hands out the first answer of a core that has started', async () => {
    const stores = withOutages(testStores())
    const provider = held('slow')
    const { core, caller, clock } = await testCore({ providers: [provider], stores })
    await core.start()
    const running = core.run(generateText, caller, greeting)
    await expect.poll(() => provider.calls.length).toBe(1)
    // The data from the start is out of date.
    clock.advance(2_000)
    stores.failNext(Infinity)
    const away = new FairleadError('SERVICE_UNAVAILABLE', 'The store is unavailable.')
    vi.spyOn(stores, 'read').mockRejectedValue(away)
    provider.release('hello')
    expect(await whileTimePasses(clock, running, 100)).toMatchObject({ success: true })
  })

  test('a store that is unavailable when a stream has sent every piece ends it as done', async () => {
    const stores = withOutages(testStores())
    const { core, caller, clock } = await testCore({ providers: [scripted('calm', 'hello there')], stores })
    const reply = await core.run(generateText, caller, { ...greeting, stream: true }, { requestId: 'req_1' })
    if (!reply.success || !('events' in reply)) throw new Error('this should have been a stream')
    stores.failNext(Infinity)
    const types: unknown[] = []
    const reading = (async () => {
      for await (const event of reply.events) types.push(event.type)
    })()
    await whileTimePasses(clock, reading, 100)
    expect(types).toEqual(['chunk', 'chunk', 'done'])
    stores.failNext(0)
    const records = () => (clock.advance(1_000), stores.read((view) => view.usage.ofRequest('req_1')))
    await expect.poll(records).toMatchObject([{ outcome: 'ok', charged: true }])
  })

  test('a store that is unavailable during a refund gets the refund once it is available again', async () => {
    const keys = requests(12).map((each) => ({ ...each, idempotencyKey: each.requestId }))
    const { codes, used, records, afterwards } = await answeredInAnOutage(keys)
    // The response of an Idempotency-Key must be stored before it is sent.
    expect([new Set(codes), await used()]).toEqual([new Set(['SERVICE_UNAVAILABLE']), 12])
    await afterwards(used).toBe(0)
    expect(await records('req_7')).toMatchObject([{ outcome: 'SERVICE_UNAVAILABLE', charged: false }])
  })

  test('a store that is unavailable when an answer has arrived hands out none that a webhook waits for', async () => {
    const { codes } = await answeredInAnOutage(requests(1), async ({ stores, clock, keyId }) => {
      const key = await stores.read((view) => view.keys.find(keyId))
      const webhook = someWebhook(createIds(clock.now), { userId: key?.userId ?? null, events: ['*'] })
      await stores.transact((tx) => tx.webhooks.add(webhook))
    })
    expect(codes).toEqual(['SERVICE_UNAVAILABLE'])
  })

  test('a store that is unavailable after it committed a refund refunds the unit only once', async () => {
    const inner = testStores()
    let lostReplies = 0
    const stores: Stores = {
      ...inner,
      async transact(work) {
        const result = await inner.transact(work)
        if (lostReplies-- > 0) throw new FairleadError('SERVICE_UNAVAILABLE', 'The connection broke.')
        return result
      },
    }
    const { core, caller, clock, keyId } = await testCore({ providers: [failing('down', 'give_up')], stores })
    // One unit in use, so that a second refund would be visible.
    await stores.reserve(keyId, null)
    lostReplies = 1
    expect(await core.run(generateText, caller, greeting)).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
    clock.advance(60_000)
    await core.close()
    expect(await inner.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 1 })
  })

  test('a store that is unavailable for a long time causes SERVICE_UNAVAILABLE with a retry delay', async () => {
    const stores = withOutages(testStores())
    const { core, caller } = await testCore({ stores })
    stores.failNext(100)
    expect(await core.run(generateText, caller, greeting)).toMatchObject({
      error: { code: 'SERVICE_UNAVAILABLE' },
      retryAfterMs: 1000,
    })
  })
})
