import { describe, expect, test } from 'vitest'
import { generateText } from '../../gateway/text/generate-text.ts'
import type { Provider } from '../../gateway/provider.ts'
import { held, testCore, whileTimePasses, withOutages, testStores } from '@fairlead/testing'
import { ProviderError } from '../../gateway/provider-error.ts'

const greeting = { model: 'any', prompt: 'greet me' }

/** A core with a pending refund, whose store fails the next transactions. */
async function withUnwrittenRefund(failures: number) {
  const answer = Promise.withResolvers<never>()
  let called = false
  const provider: Provider = { ...held('slow'), generateText: () => ((called = true), answer.promise) }
  const inner = testStores()
  const stores = withOutages(inner)
  const world = await testCore({ providers: [provider], stores })
  const running = world.core.run(generateText, world.caller, greeting)
  await expect.poll(() => called).toBe(true)
  stores.failNext(failures)
  answer.reject(new ProviderError('give_up', 'no'))
  expect(await running).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
  const used = async () => (await inner.read((view) => view.counters.peek(world.keyId))).used
  expect(await used()).toBe(1)
  return { ...world, used }
}

describe('close', () => {
  test('close closes the stores only after a running request is settled', async () => {
    const provider = held('slow')
    const closed: string[] = []
    const stores = testStores()
    const watched = { ...stores, close: async () => void closed.push('stores') }
    const { core, caller, keyId } = await testCore({ providers: [provider], stores: watched })
    const leaving = new AbortController()
    const running = core.run(generateText, caller, greeting, { signal: leaving.signal })
    await expect.poll(() => provider.calls.length).toBe(1)
    const closing = core.close()
    expect(closed).toEqual([])
    leaving.abort()
    await Promise.all([running, closing])
    expect(closed).toEqual(['stores'])
    expect(await stores.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 1 })
  })

  test('close writes refunds that an outage delayed before it closes the stores', async () => {
    const { core, clock, logged, used } = await withUnwrittenRefund(3)
    await whileTimePasses(clock, core.close(), 100)
    expect(await used()).toBe(0)
    expect(logged.map(({ message }) => message)).toContain('store available again, wrote the queued settlements')
  })

  test('close gives up after six seconds while the store is unavailable, and logs the number of lost refunds', async () => {
    const { core, clock, logged } = await withUnwrittenRefund(Infinity)
    const begunAt = clock.now()
    await whileTimePasses(clock, core.close(), 100)
    expect(clock.now() - begunAt).toBeLessThanOrEqual(6_000)
    expect(logged.at(-1)).toMatchObject({
      level: 'error',
      facts: { lost: 1 },
      message: 'closed before queued settlements could be written',
    })
  })

  test('close does not wait forever for a provider that ignores its signal', async () => {
    const provider = held('deaf')
    const { core, caller, clock } = await testCore({ providers: [provider] })
    void core.run(generateText, caller, greeting)
    await expect.poll(() => provider.calls.length).toBe(1)
    let closed = false
    void core.close().then(() => (closed = true))
    await expect.poll(() => (clock.advance(1_000), closed)).toBe(true)
  })
})

describe('a store outage', () => {
  test('a store outage is logged once for each request', async () => {
    const stores = withOutages(testStores())
    const { core, caller, logged } = await testCore({ stores })
    stores.failNext(100)
    await core.run(generateText, caller, greeting, { requestId: 'req_7' })
    expect(logged.filter(({ facts }) => facts['requestId'] === 'req_7')).toHaveLength(1)
  })
})
