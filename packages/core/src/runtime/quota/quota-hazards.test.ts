import { type GatewayTransaction, memoryBlobs } from '../../gateway/images/images.ts'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Credentials } from '../access.ts'
import { generateImage } from '../../gateway/images/generate-image.ts'
import { generateText } from '../../gateway/text/generate-text.ts'
import { listModels } from '../../gateway/models.ts'
import type { TextAnswer } from '../../gateway/messages/answer.ts'
import type { Provider } from '../../gateway/provider.ts'
import {
  begun,
  failing,
  held,
  fakePainter,
  scripted,
  fakeTextModel,
  type TestCore,
  testCore,
  testStores,
} from '@fairlead/testing'
import { type ErrorCode, FairleadError } from '../errors.ts'
import { ProviderError } from '../../gateway/provider-error.ts'
import type { Owner } from '@fairlead/accounts/stores'
import type { Operation } from '../operation.ts'
import type { Stores } from '@fairlead/testing/workspace'
import { read, write } from '../../gateway/own-features.ts'

const greeting = { model: 'any', prompt: 'greet me' }

describe('the charge of a request', () => {
  interface Failure {
    readonly code: ErrorCode
    readonly operation?: Operation
    readonly input?: unknown
    readonly provider?: Provider
    readonly credentials?: (world: TestCore) => Promise<Credentials> | Credentials
  }

  const failures: Readonly<Record<string, Failure>> = {
    'a mistyped key': { code: 'UNAUTHORIZED', credentials: () => ({ kind: 'bearer', token: `fl_${'0'.repeat(49)}` }) },
    'a key without the scope': {
      code: 'FORBIDDEN',
      credentials: async ({ addCaller }) => (await addCaller({ key: { scopes: ['models'] } })).credentials,
    },
    'a malformed field': { code: 'INVALID_REQUEST', input: { ...greeting, temperature: 3 } },
    'an unknown model': { code: 'INVALID_REQUEST', input: { ...greeting, model: 'none' } },
    'text with a NUL character': { code: 'INVALID_REQUEST', input: { ...greeting, prompt: 'a\0b' } },
    'a body that is too large': {
      code: 'PAYLOAD_TOO_LARGE',
      input: async () => {
        throw new FairleadError('PAYLOAD_TOO_LARGE', 'The body is too large.')
      },
    },
    'a provider that gives up': { code: 'PROVIDER_ERROR', provider: failing('down', 'give_up') },
    'a provider at its rate limit': { code: 'RATE_LIMIT_EXCEEDED', provider: failing('busy', 'rate_limited') },
    'a provider that times out': { code: 'PROVIDER_TIMEOUT', provider: failing('slow', 'timeout') },
    'a provider that refuses the request': { code: 'INVALID_REQUEST', provider: failing('prim', 'invalid_request') },
    'refused content': { code: 'CONTENT_REFUSED', provider: failing('prim', 'content_refused') },
    'a provider that breaks its contract': { code: 'PROVIDER_ERROR', provider: answering({ parts: 7 }) },
    'a provider that throws a string': {
      code: 'PROVIDER_ERROR',
      provider: { ...scripted('odd', ''), generateText: () => Promise.reject('oh') },
    },
    'a stream that fails before its first chunk': {
      code: 'PROVIDER_ERROR',
      input: { ...greeting, stream: true },
      provider: failing('down', 'give_up'),
    },
    'an image that cannot be stored': {
      code: 'INTERNAL_ERROR',
      operation: generateImage,
      input: { model: 'picture', prompt: 'a wall' },
      provider: fakePainter('dab'),
    },
    'a bug in an operation': {
      code: 'INTERNAL_ERROR',
      operation: broken,
      input: {},
    },
    'a write that fails after its first change': { code: 'CONFLICT', operation: refusedWrite(), input: {} },
  }

  test.each(Object.entries(failures))('the charge of a request is zero after %s', async (_case, failure) => {
    const { code, operation = generateText, input = greeting, provider, credentials } = failure
    const blobs = { ...memoryBlobs(), put: () => Promise.reject(new Error('no')) }
    const world = await testCore({ blobs, ...(provider && { providers: [provider] }) })
    const caller = (await credentials?.(world)) ?? world.caller
    expect(await world.core.run(operation, caller, input)).toMatchObject({ success: false, error: { code } })
    expect(await used(world)).toBe(0)
  })

  test('the charge of a request is one unit for a stream that fails after its first chunk', async () => {
    const provider: Provider = {
      ...scripted('brittle', ''),
      async *streamText() {
        yield* begun('one')
        throw new ProviderError('retry', 'the connection broke')
      },
    }
    const world = await testCore({ providers: [provider] })
    const reply = await world.core.run(generateText, world.caller, { ...greeting, stream: true })
    if (!reply.success || !('events' in reply)) throw new Error('this should have been a stream')
    const types: string[] = []
    for await (const { type } of reply.events) types.push(type)
    expect(types).toEqual(['chunk', 'error'])
    expect(await used(world)).toBe(1)
  })

  test('the charge of a request does not affect another user’s counter', async () => {
    const world = await testCore()
    const { credentials } = await world.addCaller({ user: { tier: 'enterprise', quotaLimit: 0 } })
    await world.core.run(generateText, credentials, greeting)
    expect(await used(world)).toBe(0)
  })
})

describe('the end of the month', () => {
  test('the end of the month charges a running request to the month in which it began', async () => {
    const provider = held('slow')
    const world = await testCore({ providers: [provider] })
    const { core, caller, clock, stores, keyId } = world
    clock.jumpTo('2026-03-31T23:59:59.900Z')
    const running = core.run(generateText, caller, greeting)
    await expect.poll(() => provider.calls.length).toBe(1)
    clock.advance(200)
    provider.release('hello')
    // The limits in the response also belong to that month.
    expect(await running).toMatchObject({
      success: true,
      limits: { remaining: 999, resetAt: Date.parse('2026-04-01T00:00:00.000Z') },
    })
    expect(await used(world)).toBe(0)
    clock.jumpTo('2026-03-31T23:59:59.950Z')
    expect(await stores.read((view) => view.counters.peek(keyId))).toEqual({ period: '2026-03', used: 1 })
  })

  test('the end of the month resets a used-up quota in the first millisecond of the next month', async () => {
    const { core, addCaller, clock } = await testCore()
    const { credentials } = await addCaller({ user: { tier: 'enterprise', quotaLimit: 1 } })
    clock.jumpTo('2028-02-29T23:59:59.998Z')
    expect(await core.run(listModels, credentials, {})).toMatchObject({ success: true })
    expect(await core.run(listModels, credentials, {})).toMatchObject({
      error: { code: 'QUOTA_EXCEEDED' },
      retryAfterMs: 2,
    })
    clock.advance(2)
    expect(await core.run(listModels, credentials, {})).toMatchObject({
      success: true,
      limits: { remaining: 0, resetAt: Date.parse('2028-04-01T00:00:00.000Z') },
    })
  })

  test('the end of the month does not reset the quota twice when the clock goes back by two minutes', async () => {
    const { core, addCaller, clock } = await testCore()
    const { credentials } = await addCaller({ user: { tier: 'enterprise', quotaLimit: 1 } })
    clock.jumpTo('2026-04-01T00:01:00.000Z')
    await core.run(listModels, credentials, {})
    clock.jumpTo('2026-03-31T23:59:00.000Z')
    const reply = await core.run(listModels, credentials, {})
    expect(reply).toMatchObject({ error: { code: 'QUOTA_EXCEEDED' }, limits: { remaining: 0 } })
    expect(reply).toMatchObject({ retryAfterMs: Date.parse('2026-05-01T00:00:00.000Z') - clock.now() })
  })

  test('the end of the month is unchanged after requests while the clock was 400 days ahead', async () => {
    const { core, addCaller, clock } = await testCore()
    const { credentials } = await addCaller({ user: { tier: 'enterprise', quotaLimit: 2 } })
    const now = clock.now()
    await core.run(listModels, credentials, {})
    clock.jumpTo(now + 400 * 86_400_000)
    for (let request = 0; request < 3; request++) await core.run(listModels, credentials, {})
    clock.jumpTo(now)
    expect(await core.run(listModels, credentials, {})).toMatchObject({
      success: true,
      limits: { remaining: 0, resetAt: Date.parse('2026-04-01T00:00:00.000Z') },
    })
    expect(await core.run(listModels, credentials, {})).toMatchObject({
      error: { code: 'QUOTA_EXCEEDED' },
      retryAfterMs: Date.parse('2026-04-01T00:00:00.000Z') - now,
    })
  })
})

describe('a change of the tier within a month', () => {
  test('a change of the tier within a month takes effect within five seconds and never leaves a negative remainder', async () => {
    const { stores, changeUser } = changeable(testStores())
    const world = await testCore({ stores })
    const { core, clock } = world
    const { credentials, keyId } = await world.addCaller({ user: { tier: 'pro' } })
    await stores.transact(async (tx) => {
      for (let unit = 0; unit < 1_500; unit++) await tx.counters.reserve(keyId, null)
    })
    expect(await core.run(listModels, credentials, {})).toMatchObject({ limits: { limit: 10_000, remaining: 8_499 } })

    changeUser({ tier: 'free' })
    clock.advance(5_000)
    expect(await core.run(listModels, credentials, {})).toMatchObject({
      error: { code: 'QUOTA_EXCEEDED' },
      limits: { limit: 1_000, remaining: 0 },
    })

    changeUser({ tier: 'enterprise', quotaLimit: 1_502 })
    clock.advance(5_000)
    expect(await core.run(listModels, credentials, {})).toMatchObject({ limits: { limit: 1_502, remaining: 0 } })

    changeUser({ tier: 'enterprise', quotaLimit: null })
    clock.advance(5_000)
    const unlimited = await core.run(listModels, credentials, {})
    expect([unlimited.success, unlimited.limits]).toEqual([true, undefined])
  })

  test('a change of the tier within a month refunds a unit that was reserved under the old limit', async () => {
    const provider = held('slow')
    const { stores, changeUser } = changeable(testStores())
    const world = await testCore({ stores, providers: [provider], timeouts: { totalMs: 10_000 } })
    const { credentials, keyId } = await world.addCaller({ user: { tier: 'enterprise', quotaLimit: 3 } })
    const running = world.core.run(generateText, credentials, greeting)
    await expect.poll(() => provider.calls.length).toBe(1)
    changeUser({ tier: 'enterprise', quotaLimit: 0 })
    world.clock.advance(10_000)
    expect(await running).toMatchObject({ error: { code: 'PROVIDER_TIMEOUT' } })
    expect((await stores.read((view) => view.counters.peek(keyId))).used).toBe(0)
  })
})

async function used({ stores, keyId }: TestCore): Promise<number> {
  return (await stores.read((view) => view.counters.peek(keyId))).used
}

/** A provider that returns an invalid answer. */
function answering(answer: object): Provider {
  return { contract: 2, id: 'liar', models: [fakeTextModel()], generateText: async () => answer as TextAnswer }
}

const broken = read({
  ...listModels,
  run: async () => {
    throw new Error('a bug')
  },
})

function refusedWrite() {
  return write({
    name: 'refuse',
    summary: 'Changes something, and is refused.',
    access: { scope: 'users' },
    metered: true,
    input: z.strictObject({}),
    output: z.object({}),
    async apply(tx: GatewayTransaction, call) {
      await tx.images.add({
        id: call.newId('img'),
        userId: null,
        payer: null,
        bytes: 1,
        model: 'any',
        createdAt: call.at,
      })
      throw new FairleadError('CONFLICT', 'That is taken.')
    },
  })
}

/** Stores with users that a test can change, as an admin on another node would. */
function changeable(stores: Stores) {
  let changes: Partial<Owner> = {}
  const readChanged: Stores['read'] = (work) =>
    stores.read((view) =>
      work({
        ...view,
        keys: {
          ...view.keys,
          async findBySecretHash(hash) {
            const found = await view.keys.findBySecretHash(hash)
            return found && { ...found, owner: { ...found.owner, ...changes } }
          },
        },
      }),
    )
  return { stores: { ...stores, read: readChanged }, changeUser: (facts: Partial<Owner>) => void (changes = facts) }
}
