import { describe, expect, test } from 'vitest'
import { operations, storedEvents } from '@fairlead/testing/workspace'
import { shipmentInput, testCore } from '@fairlead/testing'
import type { ShipmentStatus } from './shipment.ts'

const { shipments, shipment, createShipment, updateShipment, patchShipment, deleteShipment } = operations

async function setup() {
  const context = await testCore()
  const { core, caller } = context
  type Credentials = typeof caller
  const create = async (input: object = {}, as: Credentials = caller) => {
    const reply = await core.run(createShipment, as, { ...shipmentInput(), ...input })
    if (!reply.success) throw new Error(reply.error.message)
    return reply.data
  }
  return {
    ...context,
    create,
    get: (id: string, as: Credentials = caller) => core.run(shipment, as, { id }),
    list: async (input: object = {}, as: Credentials = caller) => {
      const reply = await core.run(shipments, as, input)
      if (!reply.success) throw new Error(reply.error.message)
      return { references: reply.data.map(({ reference }) => reference), page: reply.meta.page }
    },
    put: (id: string, input: object = {}, as: Credentials = caller, ifMatch?: readonly number[]) =>
      core.run(updateShipment, as, { id, ...shipmentInput(), ...input }, ifMatch && { ifMatch }),
    remove: (id: string, as: Credentials = caller) => core.run(deleteShipment, as, { id }),
    /** Creates a shipment and changes its status step by step. */
    async createWith(...statuses: readonly ShipmentStatus[]) {
      const { id } = await create()
      for (const status of statuses) {
        const reply = await core.run(updateShipment, caller, { id, ...shipmentInput(), status })
        if (!reply.success) throw new Error(reply.error.message)
      }
      return id
    },
  }
}

const everyStatus = [
  'pending',
  'in_transit',
  'out_for_delivery',
  'delivered',
  'exception',
  'returned',
  'cancelled',
] as const

describe('shipment status', () => {
  test('shipment status is pending after creation', async () => {
    const { create } = await setup()
    expect(await create()).toMatchObject({
      status: 'pending',
      history: [{ status: 'pending', at: '2026-03-14T09:26:53.589Z' }],
    })
  })

  test('shipment status cannot be set to another value on creation', async () => {
    const { core, caller } = await setup()
    const reply = await core.run(createShipment, caller, { ...shipmentInput(), status: 'in_transit' })
    expect(reply).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'status', issue: 'must be "pending"' } },
    })
  })

  // Each status, the path to it, and all statuses that may follow it.
  const rules: readonly [status: ShipmentStatus, path: readonly ShipmentStatus[], next: readonly ShipmentStatus[]][] = [
    ['pending', [], ['in_transit', 'cancelled']],
    ['in_transit', ['in_transit'], ['out_for_delivery', 'exception']],
    ['out_for_delivery', ['in_transit', 'out_for_delivery'], ['delivered', 'exception']],
    ['exception', ['in_transit', 'exception'], ['in_transit', 'returned']],
    ['delivered', ['in_transit', 'out_for_delivery', 'delivered'], []],
    ['returned', ['in_transit', 'exception', 'returned'], []],
    ['cancelled', ['cancelled'], []],
  ]

  const allowed = rules.flatMap(([status, path, next]) => next.map((after) => ({ status, path, after })))
  test.each(allowed)('shipment status can change from $status to $after', async ({ path, after }) => {
    const { createWith, put } = await setup()
    const id = await createWith(...path)
    expect(await put(id, { status: after })).toMatchObject({ success: true, data: { status: after } })
  })

  const forbidden = rules.flatMap(([status, path, next]) =>
    everyStatus.filter((after) => after !== status && !next.includes(after)).map((after) => ({ status, path, after })),
  )
  test.each(forbidden)('shipment status cannot change from $status to $after', async ({ path, after }) => {
    const { createWith, put, get } = await setup()
    const id = await createWith(...path)
    const before = await get(id)
    expect(await put(id, { status: after })).toMatchObject({
      error: { code: 'CONFLICT', details: { field: 'status' } },
    })
    expect(await get(id)).toMatchObject({ data: 'data' in before ? before.data : {} })
  })

  test.each(rules)(
    'shipment status stays %s after an update with the same status or without one',
    async (status, path) => {
      const { createWith, put } = await setup()
      const id = await createWith(...path)
      expect(await put(id, { status })).toMatchObject({ data: { status } })
      expect(await put(id)).toMatchObject({ data: { status } })
    },
  )

  test('shipment status is rejected with a list of the allowed statuses', async () => {
    const { createWith, put, remove } = await setup()
    const id = await createWith()
    expect(await put(id, { status: 'delivered' })).toMatchObject({
      error: { details: { issue: `cannot change from "pending" to "delivered". Allowed: in_transit, cancelled` } },
    })
    await remove(id)
    expect(await put(await createWith('cancelled'), { status: 'pending' })).toMatchObject({
      error: { details: { issue: `cannot change: "cancelled" is final` } },
    })
  })

  test('shipment status adds each change and its time to the history', async () => {
    const { create, put, clock } = await setup()
    const { id } = await create()
    for (const status of ['in_transit', 'exception', 'in_transit']) {
      clock.advance(1000)
      await put(id, { status })
    }
    clock.advance(1000)
    expect(await put(id, { notes: 'no change of status' })).toMatchObject({
      data: {
        updatedAt: '2026-03-14T09:26:57.589Z',
        history: [
          { status: 'pending', at: '2026-03-14T09:26:53.589Z' },
          { status: 'in_transit', at: '2026-03-14T09:26:54.589Z' },
          { status: 'exception', at: '2026-03-14T09:26:55.589Z' },
          { status: 'in_transit', at: '2026-03-14T09:26:56.589Z' },
        ],
      },
    })
  })
})

describe('createShipment', () => {
  test('createShipment requires only a reference, two addresses, and a parcel', async () => {
    const { create } = await setup()
    const made = await create()
    expect(made.id).toMatch(/^shp_\d{37}$/)
    expect(made).toEqual({
      id: made.id,
      reference: 'order-1',
      status: 'pending',
      carrier: null,
      trackingNumber: null,
      origin: { name: 'Ada', street: '1 Quay', city: 'Hamburg', postalCode: '20457', region: null, country: 'DE' },
      destination: { name: 'Bo', street: '2 Pier', city: 'Oslo', postalCode: '0150', region: null, country: 'NO' },
      parcels: [{ weightKg: 1.5, lengthCm: null, widthCm: null, heightCm: null, description: null }],
      notes: null,
      metadata: {},
      estimatedDelivery: null,
      createdAt: '2026-03-14T09:26:53.589Z',
      updatedAt: '2026-03-14T09:26:53.589Z',
      history: [{ status: 'pending', at: '2026-03-14T09:26:53.589Z' }],
    })
  })

  const { origin } = shipmentInput()
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']))

  test.each<[string, object]>([
    ['a reference of 64 characters', { reference: '😀'.repeat(64) }],
    ['a carrier of 64 characters', { carrier: 'c'.repeat(64) }],
    ['address lines of 128 characters', { origin: { ...origin, street: 's'.repeat(128), region: '' } }],
    ['100 parcels', { parcels: Array.from({ length: 100 }, () => ({ weightKg: 1000 })) }],
    ['a parcel with dimensions', { parcels: [{ weightKg: 0.01, lengthCm: 1000, widthCm: 0.1, heightCm: 1 }] }],
    ['a parcel description of 256 characters', { parcels: [{ weightKg: 1, description: 'd'.repeat(256) }] }],
    ['notes of 2,000 characters', { notes: 'n'.repeat(2000) }],
    ['50 metadata pairs', { metadata: pairs(50) }],
    ['metadata names of 64 and values of 512 characters', { metadata: { ['k'.repeat(64)]: 'v'.repeat(512) } }],
    ['a date-time in UTC', { estimatedDelivery: '2026-04-01T12:00:00Z' }],
    ['a date-time with an offset and milliseconds', { estimatedDelivery: '2028-02-29T12:00:00.123+05:30' }],
  ])('createShipment accepts %s and returns it unchanged', async (_case, input) => {
    const { create } = await setup()
    expect(await create(input)).toMatchObject(input)
  })

  test.each<[field: string, issue: string, input: object]>([
    ['reference', 'is required', { reference: undefined }],
    ['reference', 'must not be empty', { reference: ' ' }],
    ['reference', 'must have at most 64 characters', { reference: 'r'.repeat(65) }],
    ['carrier', 'must have at most 64 characters', { carrier: 'c'.repeat(65) }],
    ['trackingNumber', 'must have at most 64 characters', { trackingNumber: 't'.repeat(65) }],
    ['origin', 'is required', { origin: undefined }],
    ['origin.city', 'is required', { origin: { ...origin, city: undefined } }],
    ['origin.street', 'must have at most 128 characters', { origin: { ...origin, street: 's'.repeat(129) } }],
    [
      'destination.country',
      'must be an ISO 3166-1 alpha-2 country code in upper case, such as DE',
      { destination: { ...origin, country: 'XX' } },
    ],
    ['origin.planet', 'is not a known field', { origin: { ...origin, planet: 'Earth' } }],
    ['parcels', 'must have at least 1 entry', { parcels: [] }],
    ['parcels', 'must have at most 100 entries', { parcels: Array.from({ length: 101 }, () => ({ weightKg: 1 })) }],
    ['parcels[0].weightKg', 'is required', { parcels: [{}] }],
    [
      'parcels[1].weightKg',
      'must be greater than 0 and at most 1,000',
      { parcels: [{ weightKg: 1 }, { weightKg: 0 }] },
    ],
    ['parcels[0].weightKg', 'must be greater than 0 and at most 1,000', { parcels: [{ weightKg: 1000.01 }] }],
    ['parcels[0].heightCm', 'must be greater than 0 and at most 1,000', { parcels: [{ weightKg: 1, heightCm: -1 }] }],
    [
      'parcels[0].description',
      'must have at most 256 characters',
      { parcels: [{ weightKg: 1, description: 'd'.repeat(257) }] },
    ],
    ['notes', 'must have at most 2,000 characters', { notes: 'n'.repeat(2001) }],
    ['metadata', 'must have at most 50 pairs', { metadata: pairs(51) }],
    ['metadata', 'must have names of 1 to 64 characters', { metadata: { ['k'.repeat(65)]: 'v' } }],
    ['metadata', 'must have names of 1 to 64 characters', { metadata: { '': 'v' } }],
    ['metadata.color', 'must have at most 512 characters', { metadata: { color: 'v'.repeat(513) } }],
    ['metadata.color', 'must be a string', { metadata: { color: 7 } }],
    ['estimatedDelivery', 'must be a date and time such as 2026-03-14T09:26:53Z', { estimatedDelivery: 'tomorrow' }],
    [
      'estimatedDelivery',
      'must be a date and time such as 2026-03-14T09:26:53Z',
      { estimatedDelivery: '2026-02-29T00:00:00Z' },
    ],
    [
      'estimatedDelivery',
      'must be a date and time such as 2026-03-14T09:26:53Z',
      { estimatedDelivery: '2026-04-01T12:00:00' },
    ],
    [
      'estimatedDelivery',
      'must be a date and time such as 2026-03-14T09:26:53Z',
      { estimatedDelivery: '2026-04-01T12:00Z' },
    ],
    ['id', 'is not a known field', { id: 'shp_1' }],
    ['history', 'is not a known field', { history: [] }],
  ])('createShipment rejects free of charge: %s %s', async (field, issue, input) => {
    const { core, caller } = await setup()
    const reply = await core.run(createShipment, caller, { ...shipmentInput(), ...input })
    expect(reply).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field, issue } },
      limits: { remaining: 1000 },
    })
  })

  test('createShipment rejects a reference that the owner already uses', async () => {
    const { create, core, caller } = await setup()
    await create({ reference: 'a' })
    expect(await core.run(createShipment, caller, shipmentInput('a'))).toMatchObject({
      error: { code: 'CONFLICT', details: { field: 'reference', issue: 'is taken by another shipment' } },
      limits: { remaining: 999 },
    })
  })

  test('createShipment accepts a reference that another user uses', async () => {
    const { create, addCaller } = await setup()
    await create({ reference: 'a' })
    const { credentials } = await addCaller()
    expect(await create({ reference: 'a' }, credentials)).toMatchObject({ reference: 'a' })
  })

  test('createShipment creates a shipment without an owner for an embedding program', async () => {
    const { fairlead } = await setup()
    const made = await fairlead.shipments.create(shipmentInput())
    await expect(fairlead.shipments.create(shipmentInput())).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await fairlead.shipments.list()).toEqual([made])
  })
})

describe('updateShipment', () => {
  test('updateShipment replaces all writable fields and clears those left out', async () => {
    const { create, put } = await setup()
    const { id } = await create({ carrier: 'Seven Seas', notes: 'fragile', metadata: { a: 'b' } })
    expect(await put(id, { reference: 'order-2', carrier: 'Eight Winds' })).toMatchObject({
      data: { id, reference: 'order-2', carrier: 'Eight Winds', notes: null, metadata: {} },
    })
  })

  test('updateShipment accepts the returned record with an edit', async () => {
    const { create, core, caller, clock } = await setup()
    const shown = await create({ carrier: 'Seven Seas' })
    clock.advance(1000)
    expect(await core.run(updateShipment, caller, { ...shown, notes: 'fragile' })).toMatchObject({
      data: { ...shown, notes: 'fragile', updatedAt: '2026-03-14T09:26:54.589Z' },
    })
  })

  test.each([
    ['createdAt', '2020-01-01T00:00:00.000Z'],
    ['history', []],
  ])('updateShipment rejects a changed %s', async (field, value) => {
    const { create, put } = await setup()
    const { id } = await create()
    expect(await put(id, { [field]: value })).toMatchObject({
      error: {
        code: 'INVALID_REQUEST',
        details: {
          field,
          issue: 'is read-only and does not match the current record: omit it, or fetch the record again',
        },
      },
    })
  })

  test('updateShipment returns CONFLICT for read-only fields of an older version of the record', async () => {
    const { create, put } = await setup()
    const { id } = await create()
    expect(await put(id, { updatedAt: '2020-01-01T00:00:00.000Z', history: [] })).toMatchObject({
      error: { code: 'CONFLICT', details: { field: 'updatedAt', issue: expect.stringContaining('fetch it again') } },
    })
  })

  test('updateShipment rejects the reference of another shipment', async () => {
    const { create, put, get } = await setup()
    await create({ reference: 'a' })
    const { id } = await create({ reference: 'b' })
    expect(await put(id, { reference: 'a' })).toMatchObject({
      error: { code: 'CONFLICT', details: { field: 'reference' } },
    })
    expect(await get(id)).toMatchObject({ data: { reference: 'b' } })
  })

  test('updateShipment frees the previous reference', async () => {
    const { create, put } = await setup()
    const { id } = await create({ reference: 'a' })
    await put(id, { reference: 'b' })
    expect(await create({ reference: 'a' })).toMatchObject({ reference: 'a' })
  })
})

describe('patchShipment', () => {
  test('patchShipment changes the given fields, clears those that are null, and keeps the others', async () => {
    const { create, core, caller } = await setup()
    const before = await create({ carrier: 'Seven Seas', notes: 'fragile', metadata: { a: 'b' } })
    const input = { id: before.id, notes: null, status: 'in_transit' }
    const reply = await core.run(patchShipment, caller, input)
    expect(reply).toMatchObject({
      version: 2,
      data: { carrier: 'Seven Seas', notes: null, metadata: { a: 'b' }, status: 'in_transit', parcels: before.parcels },
    })
  })

  test('patchShipment replaces metadata as a whole, and clears it with null', async () => {
    const { create, core, caller } = await setup()
    const { id } = await create({ metadata: { a: 'b' } })
    expect(await core.run(patchShipment, caller, { id, metadata: { c: 'd' } })).toMatchObject({
      data: { metadata: { c: 'd' } },
    })
    const cleared = await core.run(patchShipment, caller, { id, metadata: null })
    expect(cleared.success && cleared.data.metadata).toEqual({})
  })

  test.each(['reference', 'origin', 'parcels', 'createdAt'])('patchShipment rejects null for %s', async (field) => {
    const { create, core, caller } = await setup()
    const { id } = await create()
    const reply = await core.run(patchShipment, caller, { id, [field]: null })
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field } } })
  })

  test('patchShipment adds an event for a changed status', async () => {
    const { create, core, caller, stores } = await setup()
    const { id } = await create()
    await core.run(patchShipment, caller, { id, status: 'in_transit' })
    const types = (await storedEvents(stores)).map(({ type }) => type)
    expect(types.toSorted()).toEqual(['shipment.created', 'shipment.status_changed', 'shipment.updated'])
  })
})

describe('a change with an outdated version', () => {
  test('a change with an outdated version is rejected, so that concurrent updates are not lost', async () => {
    const { create, put, get } = await setup()
    const { id } = await create()
    const shown = await get(id)
    expect(shown).toMatchObject({ version: 1 })
    const replies = await Promise.all(['one', 'two'].map((notes) => put(id, { notes }, undefined, [1])))
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    expect(replies.filter((reply) => !reply.success && reply.error.code === 'PRECONDITION_FAILED')).toHaveLength(1)
    expect(await get(id)).toMatchObject({ version: 2 })
  })

  test('a change with an outdated version is rejected free of charge even if it changes no field', async () => {
    const { create, put } = await setup()
    const { id } = await create()
    await put(id)
    expect(await put(id, {}, undefined, [1, 7])).toMatchObject({
      error: { code: 'PRECONDITION_FAILED' },
      limits: { remaining: 998 },
    })
    expect(await put(id, {}, undefined, [1, 2])).toMatchObject({ success: true, version: 3 })
  })

  test('a change with an outdated version is rejected if it is a deletion', async () => {
    const { create, core, caller, get } = await setup()
    const { id } = await create()
    expect(await core.run(deleteShipment, caller, { id }, { ifMatch: [2] })).toMatchObject({
      error: { code: 'PRECONDITION_FAILED' },
    })
    expect(await get(id)).toMatchObject({ success: true })
    expect(await core.run(deleteShipment, caller, { id }, { ifMatch: 'any' })).toMatchObject({ success: true })
  })
})

describe('access to a shipment', () => {
  test('access to a shipment returns NOT_FOUND for another user’s shipment', async () => {
    const { create, get, put, remove, list, addCaller } = await setup()
    const { id } = await create()
    const { credentials: other } = await addCaller()
    const missing = { error: { code: 'NOT_FOUND', message: 'Shipment not found.' } }
    expect(await get(id, other)).toMatchObject(missing)
    expect(await put(id, {}, other)).toMatchObject(missing)
    expect(await put(id, {}, other, [7])).toMatchObject(missing)
    expect(await remove(id, other)).toMatchObject(missing)
    expect(await list({}, other)).toMatchObject({ references: [] })
    expect(await get('shp_1', other)).toMatchObject(missing)
    expect(await get(id)).toMatchObject({ success: true })
  })

  test('access to a shipment lets admins read, update, and delete the shipments of other users', async () => {
    const { create, get, put, remove, list, addCaller } = await setup()
    const { id } = await create()
    const { credentials: admin } = await addCaller({ user: { role: 'admin' } })
    expect(await list({}, admin)).toMatchObject({ references: ['order-1'] })
    expect(await put(id, { notes: 'seen' }, admin)).toMatchObject({ success: true })
    expect(await get(id)).toMatchObject({ data: { notes: 'seen' } })
    expect(await remove(id, admin)).toMatchObject({ data: { id, deleted: true } })
    expect(await get(id)).toMatchObject({ error: { code: 'NOT_FOUND' } })
  })

  test.each(everyStatus.slice(0, 2))(
    'access to a shipment returns NOT_FOUND after deletion with status %s, and the reference is free',
    async (status) => {
      const { createWith, remove, get, create } = await setup()
      const id = await createWith(...(status === 'pending' ? [] : [status]))
      expect(await remove(id)).toMatchObject({ data: { id, deleted: true } })
      expect(await get(id)).toMatchObject({ error: { code: 'NOT_FOUND' } })
      expect(await remove(id)).toMatchObject({ error: { code: 'NOT_FOUND' } })
      expect(await create()).toMatchObject({ reference: 'order-1' })
    },
  )

  test('access to a shipment requires the scope "shipments"', async () => {
    const { addCaller, get, list } = await setup()
    const { credentials } = await addCaller({ key: { scopes: ['models'] } })
    expect(await get('shp_1', credentials)).toMatchObject({ error: { code: 'FORBIDDEN' } })
    await expect(list({}, credentials)).rejects.toThrow('scope "shipments"')
  })
})

describe('events of a shipment', () => {
  test('events of a shipment are added for creation, updates, status changes, and deletion', async () => {
    const { create, put, remove, stores } = await setup()
    const eventCount = async () => (await storedEvents(stores)).length
    const { id } = await create()
    expect(await eventCount()).toBe(1)
    await put(id, { status: 'in_transit' })
    expect(await eventCount()).toBe(3)
    await put(id)
    expect(await eventCount()).toBe(4)
    await put(id, { status: 'delivered' })
    expect(await eventCount()).toBe(4)
    await remove(id)
    expect(await eventCount()).toBe(5)
  })
})

describe('listShipments', () => {
  test('listShipments shows an admin the shipments of one user, and a member none of other users', async () => {
    const { create, list, addCaller } = await setup()
    const [admin, member] = [await addCaller({ user: { role: 'admin' } }), await addCaller()]
    await create({ reference: 'a' })
    await create({ reference: 'b' }, member.credentials)
    await create({ reference: 'c' }, admin.credentials)
    const of = async (who: typeof member, userId: string) => (await list({ userId }, who.credentials)).references
    expect(await of(admin, member.userId)).toEqual(['b'])
    expect(await of(member, member.userId)).toEqual(['b'])
    expect(await of(member, admin.userId)).toEqual([])
  })

  async function withShipments() {
    const context = await setup()
    for (const reference of ['a', 'b', 'c', 'd', 'e']) {
      await context.create({ reference, carrier: reference < 'c' ? 'x' : null })
      context.clock.advance(1000)
    }
    return context
  }

  test('listShipments returns the newest first and 20 per page by default', async () => {
    const { list } = await withShipments()
    expect(await list()).toEqual({
      references: ['e', 'd', 'c', 'b', 'a'],
      page: { nextCursor: null, hasMore: false, limit: 20 },
    })
    expect(await list({ sort: 'created_at' })).toMatchObject({ references: ['a', 'b', 'c', 'd', 'e'] })
  })

  test.each(['created_at', '-created_at'])(
    'listShipments returns each shipment once over all pages sorted by %s',
    async (sort) => {
      const { list } = await withShipments()
      const seen: string[] = []
      let cursor: string | null | undefined
      let pages = 0
      do {
        const { references, page } = await list({ sort, limit: 2, ...(cursor && { cursor }) })
        seen.push(...references)
        expect(page?.hasMore).toBe(page?.nextCursor !== null)
        cursor = page?.nextCursor
        pages += 1
      } while (cursor)
      expect(pages).toBe(3)
      expect(seen.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
    },
  )

  test('listShipments skips and repeats nothing while shipments are added and removed', async () => {
    const { list, create, remove } = await withShipments()
    const { references, page } = await list({ limit: 2 })
    const { id } = await create({ reference: 'f' })
    await remove(id)
    await create({ reference: 'g' })
    const next = await list({ limit: 2, cursor: page?.nextCursor })
    expect([...references, ...next.references]).toEqual(['e', 'd', 'c', 'b'])
  })

  test.each<[object, readonly string[]]>([
    [{ status: 'pending' }, ['e', 'd', 'c', 'b', 'a']],
    [{ status: 'delivered' }, []],
    [{ carrier: 'x' }, ['b', 'a']],
    [{ reference: 'c' }, ['c']],
    [{ createdAfter: '2026-03-14T09:26:55.589Z' }, ['e', 'd']],
    [{ createdBefore: '2026-03-14T10:26:54.589+01:00' }, ['a']],
    [{ createdAfter: '2026-03-14T09:26:53Z', createdBefore: '2026-03-14T09:26:56Z', carrier: 'x' }, ['b', 'a']],
  ])('listShipments with filters %j returns %j', async (filters, references) => {
    const { list } = await withShipments()
    expect(await list(filters)).toMatchObject({ references })
  })

  test.each([
    ['limit', 'must be between 1 and 100', { limit: 0 }],
    ['limit', 'must be between 1 and 100', { limit: 101 }],
    ['sort', 'must be one of "created_at", "-created_at"', { sort: 'reference' }],
    ['createdAfter', 'must be a date and time such as 2026-03-14T09:26:53Z', { createdAfter: 'yesterday' }],
    [
      'status',
      'must be one of "pending", "in_transit", "out_for_delivery", "delivered", "exception", "returned", "cancelled"',
      { status: 'lost' },
    ],
  ])('listShipments rejects: %s %s', async (field, issue, input) => {
    const { core, caller } = await setup()
    expect(await core.run(shipments, caller, input)).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field, issue } },
    })
  })

  test('listShipments rejects a cursor of another list, free of charge', async () => {
    const { core, caller, list } = await withShipments()
    const { page } = await list({ limit: 2 })
    const reply = await core.run(shipments, caller, { limit: 2, sort: 'created_at', cursor: page?.nextCursor })
    expect(reply).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'cursor' } },
      limits: { remaining: 994 },
    })
  })
})
