import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accounts } from '@fairlead/accounts'
import { createFairlead } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import { addTestCaller, held, shipmentInput } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sqliteStores } from './sqlite-stores.ts'

/** Two services on one file, each with its own connection, like two processes. */
async function twoServices() {
  const directory = await mkdtemp(join(tmpdir(), 'fairlead-two-'))
  const path = join(directory, 'fairlead.db')
  const secretKeys = { current: 'shared by both' }
  const provider = held('slow')
  const stores = await sqliteStores({ path })
  const one = createFairlead({ providers: [provider], stores, secretKeys, features: [accounts()] })
  const other = createFairlead({
    providers: [provider],
    stores: await sqliteStores({ path }),
    secretKeys,
    features: [accounts()],
  })
  onTestFinished(async () => {
    await Promise.all([one.core.close(), other.core.close()])
    await rm(directory, { recursive: true })
  })
  const { credentials } = await addTestCaller(stores, { now: Date.now })
  return { services: [one, other] as const, provider, stores, credentials }
}

describe('one Idempotency-Key in two processes', () => {
  test('one Idempotency-Key in two processes creates one record in fifty parallel writes', async () => {
    const { services, stores, credentials } = await twoServices()
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        services[index % 2 ? 1 : 0].core.run(operations.createShipment, credentials, shipmentInput(), {
          idempotencyKey: 'k-1',
        }),
      ),
    )
    expect(new Set(replies.map((reply) => (reply.success ? reply.data.id : reply.error.code))).size).toBe(1)
    expect(replies.filter((reply) => !('replayed' in reply))).toHaveLength(1)
    const kept = await stores.read((view) => view.shipments.list({}, { first: 'oldest', limit: 9 }))
    expect(kept).toHaveLength(1)
  })

  test('one Idempotency-Key in two processes calls the provider once in fifty parallel calls', async () => {
    const { services, provider, credentials } = await twoServices()
    const ask = (index: number) =>
      services[index % 2 ? 1 : 0].core.run(
        operations.generate,
        credentials,
        { model: 'any', prompt: 'greet me' },
        { idempotencyKey: 'k-1' },
      )
    const running = Array.from({ length: 50 }, (_, index) => ask(index))
    await expect.poll(() => provider.calls.length).toBe(1)
    provider.release('hello')
    const replies = await Promise.all(running)
    expect(provider.calls).toHaveLength(1)
    expect(replies.filter((reply) => reply.success && !('replayed' in reply))).toHaveLength(1)
    expect(await Promise.all([ask(0), ask(1)])).toMatchObject([{ replayed: true }, { replayed: true }])
  })
})
