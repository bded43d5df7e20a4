import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import type { TextEvent } from '../../gateway/messages/answer.ts'
import type { Provider } from '../../gateway/provider.ts'
import { begun, fakeTextModel, testCore, testClock, testStores } from '@fairlead/testing'

/** Yields one word and then nothing until it is aborted. */
const endless: Provider = {
  contract: 2,
  id: 'endless',
  models: [fakeTextModel()],
  async *streamText(_request, { signal }): AsyncGenerator<TextEvent> {
    yield* begun('well')
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  },
}

async function streaming(options: Parameters<typeof testCore>[0] = {}) {
  const context = await testCore({
    providers: [endless],
    timeouts: { totalMs: 3_600_000, idleMs: 3_600_000 },
    ...options,
  })
  const reply = await context.core.run(operations.generate, context.caller, { model: 'any', prompt: 'x', stream: true })
  if (!reply.success || !('events' in reply)) throw new Error('this should have been a stream')
  const events = reply.events[Symbol.asyncIterator]()
  await events.next()
  let ended: unknown
  void events.next().then(({ value }) => (ended = value))
  return { ...context, ended: () => ended }
}

const turn = () => new Promise(setImmediate)

describe('a long stream', () => {
  test('a long stream ends within 15 seconds after its key is revoked on any node', async () => {
    const { stores, clock, keyId, ended } = await streaming()
    clock.advance(2_000)
    await stores.transact((tx) => tx.keys.revoke(keyId, clock.now()))
    clock.advance(12_999)
    await turn()
    expect(ended()).toBeUndefined()
    clock.advance(1)
    await expect.poll(ended).toMatchObject({ type: 'error', reply: { error: { code: 'UNAUTHORIZED' } } })
  })

  test('a long stream ends at once on the node that revokes its key or suspends its user', async () => {
    for (const end of [
      async ({ fairlead, keyId }: Awaited<ReturnType<typeof streaming>>) => fairlead.apiKeys.revoke({ id: keyId }),
      async ({ fairlead, stores, keyId }: Awaited<ReturnType<typeof streaming>>) => {
        const key = await stores.read((view) => view.keys.find(keyId))
        await fairlead.users.patch({ id: key?.userId ?? '', status: 'suspended' })
      },
    ]) {
      const world = await streaming()
      await end(world)
      await expect.poll(world.ended).toMatchObject({ type: 'error' })
    }
  })

  test('a long stream ends after its user is suspended', async () => {
    const { stores, clock, ended } = await streaming()
    await stores.transact(async (tx) => {
      const [user] = await tx.users.list({}, { first: 'oldest', limit: 1 })
      if (user) await tx.users.replace({ ...user, status: 'suspended' })
    })
    clock.advance(15_000)
    await expect.poll(ended).toMatchObject({ type: 'error', reply: { error: { code: 'FORBIDDEN' } } })
  })

  test('a long stream is charged when it ends because of a revoked key', async () => {
    const { stores, clock, keyId, ended } = await streaming()
    await stores.transact((tx) => tx.keys.revoke(keyId, clock.now()))
    clock.advance(15_000)
    await expect.poll(ended).toBeDefined()
    expect((await stores.read((view) => view.counters.peek(keyId))).used).toBe(1)
  })

  test('a long stream continues while its credentials are valid, and checks them every 15 seconds', async () => {
    const { stores, clock, keyId, ended } = await streaming()
    for (let n = 0; n < 4; n++) {
      clock.advance(15_000)
      await turn()
      await turn()
    }
    expect(ended()).toBeUndefined()
    await stores.transact((tx) => tx.keys.revoke(keyId, clock.now()))
    clock.advance(15_000)
    await expect.poll(ended).toMatchObject({ type: 'error' })
  })

  test('a long stream continues while the store is unavailable', async () => {
    const clock = testClock()
    const stores = testStores({ clock })
    let unavailable = false
    const read: typeof stores.read = (work) =>
      unavailable ? Promise.reject(new Error('unavailable')) : stores.read(work)
    const { clock: time, ended } = await streaming({ stores: { ...stores, read } })
    unavailable = true
    time.advance(15_000)
    await turn()
    expect(ended()).toBeUndefined()
  })
})
