import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { createFairlead } from '../../fairlead/create-fairlead.ts'
import { testCore } from '@fairlead/testing'
import { FairleadError } from '../errors.ts'
import { defineFeature, subscription } from '../../gateway/own-features.ts'

/** Yields as many numbers as requested, and then nothing until it is aborted. */
const numbers = subscription({
  name: 'numbers',
  summary: 'Streams numbers.',
  access: { scope: 'models' },
  metered: false,
  input: z.strictObject({ count: z.int().default(2) }),
  output: z.object({ id: z.string() }),
  prepare(_services, _call, { count }) {
    if (count > 10) throw new FairleadError('CONFLICT', 'That is too many.')
    return count
  },
  async *subscribe(_services, { signal }, count) {
    for (let id = 1; id <= count; id++) yield { id: String(id) }
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  },
})

async function subscribed(options?: { readonly signal?: AbortSignal }) {
  const context = await testCore()
  const reply = await context.core.run(numbers, context.caller, {}, options)
  if (!reply.success || !('events' in reply)) throw new Error('this should have been a stream')
  return { ...context, events: reply.events[Symbol.asyncIterator]() }
}

describe('a subscription', () => {
  test('a subscription streams items, free of charge', async () => {
    const { events, stores, keyId } = await subscribed()
    expect([(await events.next()).value, (await events.next()).value]).toEqual([
      { type: 'chunk', chunk: { id: '1' } },
      { type: 'chunk', chunk: { id: '2' } },
    ])
    await events.return?.()
    expect((await stores.read((view) => view.counters.peek(keyId))).used).toBe(0)
  })

  test('a subscription that its checks reject is an ordinary failure', async () => {
    const { core, caller } = await testCore()
    expect(await core.run(numbers, caller, { count: 11 })).toMatchObject({
      success: false,
      error: { code: 'CONFLICT' },
    })
  })

  test('a subscription ends with an error when its key is revoked', async () => {
    const { events, stores, clock, keyId } = await subscribed()
    await events.next()
    await events.next()
    const last = events.next()
    await stores.transact((tx) => tx.keys.revoke(keyId, clock.now()))
    clock.advance(15_000)
    expect((await last).value).toMatchObject({ type: 'error', reply: { error: { code: 'UNAUTHORIZED' } } })
    expect((await events.next()).done).toBe(true)
  })

  test('a subscription ends when the service shuts down', async () => {
    const { core, events } = await subscribed()
    await events.next()
    await events.next()
    const last = events.next()
    core.endSubscriptions()
    expect((await last).value).toMatchObject({ type: 'error', reply: { error: { code: 'SERVICE_UNAVAILABLE' } } })
  })

  test('a subscription is an async iterable for the embedding program, and ends when the loop is left', async () => {
    const fairlead = createFairlead({
      providers: [],
      features: [defineFeature({ name: 'numbers', operations: { numbers: { watch: numbers } } })],
    })
    const seen: string[] = []
    for await (const { id } of fairlead.numbers.watch({ count: 3 })) {
      seen.push(id)
      if (id === '3') break
    }
    expect(seen).toEqual(['1', '2', '3'])
    await fairlead.core.close()
  })

  test('a subscription rejects with the reason when the signal of the embedding program aborts', async () => {
    const fairlead = createFairlead({
      providers: [],
      features: [defineFeature({ name: 'numbers', operations: { numbers: { watch: numbers } } })],
    })
    const leaving = new AbortController()
    const items = fairlead.numbers.watch({ count: 0 }, { signal: leaving.signal })
    const first = items.next()
    leaving.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    await fairlead.core.close()
  })
})
