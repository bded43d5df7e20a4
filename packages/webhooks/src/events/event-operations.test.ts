import { describe, expect, onTestFinished, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import type { Credentials } from '@fairlead/core'
import { shipmentInput, addTestCaller, testCore, type TestCoreOptions, testClock, testStores } from '@fairlead/testing'

async function setup(options: TestCoreOptions = {}) {
  const world = await testCore(options)
  const { core, caller, addCaller } = world
  onTestFinished(() => core.close())
  const admin = (await addCaller({ user: { role: 'admin' } })).credentials
  const ship = async (reference: string, credentials: Credentials = caller) => {
    const reply = await core.run(operations.createShipment, credentials, shipmentInput(reference))
    if (!reply.success) throw new Error(reply.error.message)
    return reply.data.id
  }

  /** Opens a stream, and returns how to read its next event. */
  async function stream(input: object, credentials: Credentials = caller) {
    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const reply = await core.run(operations.eventStream, credentials, input, { signal: leaving.signal })
    if (!reply.success) return { reply }
    if (!('events' in reply)) throw new Error('this should have been a stream')
    const events = reply.events[Symbol.asyncIterator]()
    const next = async () => {
      const { value } = await events.next()
      return value?.type === 'chunk' ? value.chunk : value
    }
    const close = () => events.return?.()
    return { reply, next, close, leave: () => leaving.abort() }
  }
  return { ...world, admin, ship, stream }
}

const turn = () => new Promise(setImmediate)

describe('events', () => {
  test('the operation events lists the caller’s own events, the newest first, with the record in its wire form', async () => {
    const { core, caller, ship, addCaller } = await setup()
    const id = await ship('order-1')
    await ship('order-2', (await addCaller()).credentials)
    const reply = await core.run(operations.events, caller, {})
    expect(reply).toMatchObject({
      data: [
        {
          type: 'shipment.created',
          resourceId: id,
          data: { id, reference: 'order-1', tracking_number: null, version: 1 },
        },
      ],
    })
  })

  test('the operation events lists the events of all users for an admin, or those of one', async () => {
    const { core, admin, ship, addCaller } = await setup()
    await ship('order-1')
    const other = await addCaller()
    await ship('order-2', other.credentials)
    expect(await core.run(operations.events, admin, {})).toMatchObject({ data: [{}, {}] })
    expect(await core.run(operations.events, admin, { userId: other.userId })).toMatchObject({
      data: [{ userId: other.userId }],
    })
  })

  test('the operation events lists nothing for a member that asks for another user', async () => {
    const { core, caller, ship, addCaller } = await setup()
    const other = await addCaller()
    await ship('order-2', other.credentials)
    expect(await core.run(operations.events, caller, { userId: other.userId })).toMatchObject({ data: [] })
  })

  test('events are filtered by type, group, and resource', async () => {
    const { core, caller, ship } = await setup()
    const id = await ship('order-1')
    await ship('order-2')
    await core.run(operations.patchShipment, caller, { id, status: 'in_transit' })
    const types = async (filters: object) => {
      const reply = await core.run(operations.events, caller, filters)
      return reply.success && 'data' in reply ? reply.data.map(({ type }) => type) : []
    }
    expect(await types({ type: 'shipment.created' })).toEqual(['shipment.created', 'shipment.created'])
    expect(await types({ type: 'user.*' })).toEqual([])
    // Events of the same millisecond have no order.
    expect(new Set(await types({ resourceId: id, type: 'shipment.*' }))).toEqual(
      new Set(['shipment.created', 'shipment.updated', 'shipment.status_changed']),
    )
  })

  test('the operation events rejects an unknown type and suggests the nearest', async () => {
    const { core, caller } = await setup()
    expect(await core.run(operations.events, caller, { type: 'shipment.create' })).toMatchObject({
      error: {
        code: 'INVALID_REQUEST',
        details: { field: 'type', issue: expect.stringContaining('did you mean "shipment.created"?') },
      },
    })
  })
})

describe('eventStream', () => {
  test('eventStream streams the caller’s own events as they happen', async () => {
    const { ship, stream, addCaller } = await setup()
    const { next } = await stream({})
    const first = next!()
    await turn()
    await ship('order-0', (await addCaller()).credentials)
    const id = await ship('order-1')
    expect(await first).toMatchObject({ type: 'shipment.created', resourceId: id })
  })

  test('eventStream streams the events of all users to an admin', async () => {
    const { ship, stream, admin } = await setup()
    const { next } = await stream({ type: 'shipment.*' }, admin)
    const first = next!()
    await turn()
    const id = await ship('order-1')
    expect(await first).toMatchObject({ resourceId: id })
  })

  test('eventStream streams the events of one user to an admin, and none of another user to a member', async () => {
    const { admin, caller, ship, stream, addCaller } = await setup()
    const other = await addCaller()
    const { next } = await stream({ userId: other.userId }, admin)
    const { next: nextOfMember } = await stream({ userId: other.userId }, caller)
    const pending = Promise.race([
      nextOfMember?.(),
      turn()
        .then(turn)
        .then(() => 'nothing'),
    ])
    const first = next?.()
    await ship('order-1')
    const id = await ship('order-2', other.credentials)
    expect(await first).toMatchObject({ userId: other.userId, resourceId: id })
    expect(await pending).toBe('nothing')
  })

  test('eventStream ends within 15 seconds after an admin becomes a member', async () => {
    const { stores, clock, addCaller, stream } = await setup()
    const { credentials, userId } = await addCaller({ user: { role: 'admin' } })
    const { next } = await stream({}, credentials)
    const first = next!()
    await stores.transact(async (tx) => {
      const user = await tx.users.find(userId)
      if (user) await tx.users.replace({ ...user, role: 'member' })
    })
    clock.advance(15_000)
    expect(await first).toMatchObject({ type: 'error', reply: { error: { code: 'FORBIDDEN' } } })
  })

  test('eventStream continues after an event', async () => {
    const { core, caller, ship, stream } = await setup()
    await ship('order-1')
    const listed = await core.run(operations.events, caller, {})
    const after = listed.success && 'data' in listed ? listed.data[0]?.id : undefined
    const id = await ship('order-2')
    const { next } = await stream({ after })
    expect(await next!()).toMatchObject({ resourceId: id })
  })

  test('eventStream rejects an event that is not stored', async () => {
    const { stream } = await setup()
    expect((await stream({ after: 'evt_1' })).reply).toMatchObject({ error: { details: { field: 'after' } } })
  })

  test('eventStream stores events of model calls while it is open', async () => {
    const { core, caller, stream } = await setup()
    const generate = () => core.run(operations.generate, caller, { model: 'any', prompt: 'hello' })
    const completed = async () => {
      const reply = await core.run(operations.events, caller, { type: 'generation.completed' })
      return reply.success && 'data' in reply ? reply.data.length : NaN
    }
    await generate()
    expect(await completed()).toBe(0)

    const { next, leave } = await stream({ type: 'generation.*' })
    const first = next!()
    await expect.poll(async () => (await generate(), completed())).toBeGreaterThan(0)
    expect(await first).toMatchObject({ type: 'generation.completed', data: { model: 'any' } })

    const second = next!()
    leave!()
    await second
    const before = await completed()
    await generate()
    expect(await completed()).toBe(before)
  })
})

const tooMany = (message: string) => ({
  reply: { error: { code: 'RATE_LIMIT_EXCEEDED', message: expect.stringContaining(message) }, retryAfterMs: 10_000 },
})

describe('many event streams', () => {
  test('an API key has at most 20 event streams open, and an account at most 50', async () => {
    const { stores, keyId, caller, clock, stream, addCaller } = await setup()
    const owner = await stores.read((view) => view.keys.find(keyId))
    const createKey = async () => (await addTestCaller(stores, clock, { user: { id: owner!.userId } })).credentials
    const [second, third] = [await createKey(), await createKey()]
    const open = async (count: number, credentials: Credentials) => {
      for (let n = 0; n < count; n++) expect(await stream({}, credentials)).toMatchObject({ reply: { success: true } })
    }
    await open(20, caller)
    expect(await stream({}, caller)).toMatchObject(tooMany('This API key has 20 event streams open'))
    await open(20, second)
    await open(10, third)
    expect(await stream({}, third)).toMatchObject(tooMany('This account has 50 event streams open'))
    await open(1, (await addCaller()).credentials)
  })

  test('an event stream that ends makes room for another one, however it ends, and one that was refused takes none', async () => {
    const { stream } = await setup({ rateLimits: { eventStreamsPerKey: 1 } })
    const read = await stream({})
    void read.next?.()
    await turn()
    expect(await stream({})).toMatchObject(tooMany('This API key has an event stream open'))
    read.leave?.()
    const closed = await stream({})
    expect(closed).toMatchObject({ reply: { success: true } })
    // Nobody has read from it.
    await closed.close?.()
    expect(await stream({ after: 'evt_1' })).toMatchObject({ reply: { error: { details: { field: 'after' } } } })
    expect(await stream({})).toMatchObject({ reply: { success: true } })
  })

  test('an embedding program has no limit of event streams', async () => {
    const { stream } = await setup({ rateLimits: { eventStreamsPerKey: 1, eventStreamsPerAccount: 1 } })
    for (let n = 0; n < 3; n++) {
      expect(await stream({}, { kind: 'embedded' })).toMatchObject({ reply: { success: true } })
    }
  })

  test('all event streams of the process share one record of an event, and an embedding program has its own', async () => {
    const { ship, stream, admin } = await setup()
    const streams = [await stream({}), await stream({}), await stream({}, admin)]
    const own = await stream({}, { kind: 'embedded' })
    const pending = [...streams, own].map(({ next }) => next?.())
    await turn()
    await ship('order-1')
    const [first, second, third, fourth] = await Promise.all(pending)
    expect(first).toMatchObject({ type: 'shipment.created' })
    expect([second, third].every((record) => record === first)).toBe(true)
    expect(fourth).toEqual(first)
    expect(fourth).not.toBe(first)
  })

  test('a change of a key reads its access once for all of its event streams', async () => {
    const clock = testClock()
    const stores = testStores({ clock })
    let lookups = 0
    const read: typeof stores.read = (work) =>
      stores.read((view) => {
        const findBySecretHash: typeof view.keys.findBySecretHash = (hash) => {
          lookups += 1
          return view.keys.findBySecretHash(hash)
        }
        return work({ ...view, keys: { ...view.keys, findBySecretHash } })
      })
    const { fairlead, keyId, stream, clock: time } = await setup({ stores: { ...stores, read } })
    const streams = []
    for (let n = 0; n < 20; n++) streams.push(await stream({ type: 'shipment.*' }))
    const pending = streams.map(({ next }) => next?.())
    await turn()

    const before = lookups
    await fairlead.apiKeys.update({ id: keyId, name: 'renamed' })
    await turn()
    expect(lookups - before).toBe(1)
    time.advance(4_000)
    await turn()
    expect(lookups - before).toBe(2)

    await fairlead.apiKeys.revoke({ id: keyId })
    for (const item of await Promise.all(pending)) {
      expect(item).toMatchObject({ type: 'error', reply: { error: { code: 'UNAUTHORIZED' } } })
    }
    expect(lookups - before).toBe(3)
  })
})
