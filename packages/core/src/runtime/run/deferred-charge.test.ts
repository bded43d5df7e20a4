import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { testCore, withOutages, testStores } from '@fairlead/testing'
import { FairleadError } from '../errors.ts'

const { generate, models, shipment, shipments } = operations

async function setUp({ quotaLimit = 5 } = {}) {
  const stores = withOutages(testStores())
  let deferred = 0
  const world = await testCore({ stores, observer: { chargeDeferred: () => void deferred++ } })
  const { credentials, keyId } = await world.addCaller({ user: { tier: 'enterprise', quotaLimit } })
  const used = async () => (await stores.read((view) => view.counters.peek(keyId))).used
  /** Lets the store write again, and time pass until the queued settlements are written. */
  const afterOutage = () => (stores.failNext(0), expect.poll(() => (world.clock.advance(1_000), used())))
  return { ...world, stores, credentials, used, afterOutage, deferred: () => deferred }
}

describe('a read while the store cannot write', () => {
  test('a read while the store cannot write is answered, and charged once the store can write again', async () => {
    const { core, stores, credentials, used, afterOutage, deferred, logged } = await setUp()
    stores.failNext(Infinity)
    for (let n = 0; n < 3; n++) {
      const reply = await core.run(shipments, credentials, {}, { requestId: `req_${n}` })
      expect(reply).toMatchObject({ success: true, data: [], limits: { remaining: 5 } })
    }
    expect([await used(), deferred()]).toEqual([0, 3])
    expect(logged.map(({ message }) => message)).toContain('store unavailable, queueing settlements until it is back')
    await afterOutage().toBe(3)
    const [record] = await stores.read((view) => view.usage.ofRequest('req_2'))
    expect(record).toMatchObject({ outcome: 'ok', charged: true })
  })

  test('a read while the store cannot write is free of charge if it fails', async () => {
    const { core, stores, credentials, used, afterOutage } = await setUp()
    stores.failNext(Infinity)
    expect(await core.run(shipment, credentials, { id: 'shp_1' })).toMatchObject({ error: { code: 'NOT_FOUND' } })
    expect(await core.run(models, credentials, {})).toMatchObject({ success: true })
    await afterOutage().toBe(1)
    expect(await used()).toBe(1)
  })

  test('a read while the store cannot write is rejected once the quota is used up', async () => {
    const { core, stores, credentials } = await setUp({ quotaLimit: 1 })
    await core.run(models, credentials, {})
    stores.failNext(Infinity)
    expect(await core.run(models, credentials, {})).toMatchObject({
      error: { code: 'QUOTA_EXCEEDED' },
      limits: { remaining: 0 },
    })
  })

  test('a read while the store cannot write is rejected once the quota of a key is used up from which its own descends', async () => {
    const { core, stores, credentials } = await setUp()
    const rights = { scopes: ['keys', 'models'] }
    const parent = await core.run(operations.createApiKey, credentials, { name: 'parent', ...rights, quotaLimit: 1 })
    const made = (reply: typeof parent) => (reply.success ? reply.data.secret : '')
    const as = (token: string) => ({ kind: 'bearer', token }) as const
    const child = await core.run(operations.createApiKey, as(made(parent)), { name: 'child', ...rights })
    expect(await core.run(models, as(made(child)), {})).toMatchObject({ success: true })
    stores.failNext(Infinity)
    expect(await core.run(models, as(made(child)), {})).toMatchObject({
      error: {
        code: 'QUOTA_EXCEEDED',
        message: expect.stringContaining('of the API key that this one descends from'),
      },
    })
    expect(await core.run(models, credentials, {})).toMatchObject({ success: true })
  })

  test('a read while the store cannot write is answered if the disk fills up after its unit was reserved', async () => {
    const stores = withOutages(testStores())
    const { core, caller, clock } = await testCore({
      stores: {
        ...stores,
        reserve: (counter, limit) => stores.reserve(counter, limit).finally(() => stores.failNext(1)),
      },
    })
    const reply = await core.run(models, caller, {}, { requestId: 'req_7' })
    expect(reply).toMatchObject({ success: true, limits: { remaining: 999 } })
    await expect
      .poll(() => (clock.advance(1_000), stores.read((view) => view.usage.ofRequest('req_7'))))
      .toMatchObject([{ outcome: 'ok' }])
  })
})

describe('a read is rejected with SERVICE_UNAVAILABLE', () => {
  const outage = { error: { code: 'SERVICE_UNAVAILABLE' } }

  test('a read is rejected with SERVICE_UNAVAILABLE while the store cannot be read either', async () => {
    const { core, stores, caller, deferred } = await setUp()
    await core.run(models, caller, {})
    const unavailable = () =>
      Promise.reject(new FairleadError('SERVICE_UNAVAILABLE', 'no', { cause: new Error('lost') }))
    Object.assign(stores, { reserve: unavailable, read: unavailable })
    expect(await core.run(models, caller, {})).toMatchObject(outage)
    expect(deferred()).toBe(0)
  })

  test('a read is rejected with SERVICE_UNAVAILABLE while the store takes no more work', async () => {
    const { core, stores, caller } = await setUp()
    const busy = () => Promise.reject(new FairleadError('SERVICE_UNAVAILABLE', 'The database is too busy right now.'))
    Object.assign(stores, { reserve: busy })
    expect(await core.run(models, caller, {})).toMatchObject(outage)
  })
})

test('a model call without a reserved unit is rejected while the store cannot write', async () => {
  const { core, stores, caller } = await setUp()
  stores.failNext(Infinity)
  const reply = await core.run(generate, caller, { model: 'any', prompt: 'hi' })
  expect(reply).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
})
