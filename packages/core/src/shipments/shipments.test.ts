import { describe, expect, test } from 'vitest'
import { operations } from '../operations.ts'
import { shipmentInput } from '../testing/some-shipment.ts'
import { testCore } from '../testing/test-core.ts'
import type { ShipmentStatus } from './shipment.ts'

const { shipments, shipment, createShipment, updateShipment, deleteShipment } = operations

async function setup() {
  const world = await testCore()
  const { core, caller } = world
  type Who = typeof caller
  const create = async (input: object = {}, who: Who = caller) => {
    const reply = await core.run(createShipment, who, { ...shipmentInput(), ...input })
    if (!reply.success) throw new Error(reply.error.message)
    return reply.data
  }
  return {
    ...world,
    create,
    get: (id: string, who: Who = caller) => core.run(shipment, who, { id }),
    list: async (input: object = {}, who: Who = caller) => {
      const reply = await core.run(shipments, who, input)
      if (!reply.success) throw new Error(reply.error.message)
      return { references: reply.data.map(({ reference }) => reference), page: reply.meta.page }
    },
    put: (id: string, input: object = {}, who: Who = caller, ifMatch?: readonly number[]) =>
      core.run(updateShipment, who, { id, ...shipmentInput(), ...input }, ifMatch && { ifMatch }),
    remove: (id: string, who: Who = caller) => core.run(deleteShipment, who, { id }),
    /** Takes a new shipment along a way of statuses. */
    async along(...way: readonly ShipmentStatus[]) {
      const { id } = await create()
      for (const status of way) {
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

describe('the status of a shipment', () => {
  test('is pending at first', async () => {
    const { create } = await setup()
    expect(await create()).toMatchObject({
      status: 'pending',
      history: [{ status: 'pending', at: '2026-03-14T09:26:53.589Z' }],
    })
  })

  test('can not be another from the start', async () => {
    const { core, caller } = await setup()
    const reply = await core.run(createShipment, caller, { ...shipmentInput(), status: 'in_transit' })
    expect(reply).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'status', issue: 'must be "pending"' } },
    })
  })

  // How each status is reached here, and the only ones that may follow it.
  const rules: readonly [status: ShipmentStatus, way: readonly ShipmentStatus[], next: readonly ShipmentStatus[]][] = [
    ['pending', [], ['in_transit', 'cancelled']],
    ['in_transit', ['in_transit'], ['out_for_delivery', 'exception']],
    ['out_for_delivery', ['in_transit', 'out_for_delivery'], ['delivered', 'exception']],
    ['exception', ['in_transit', 'exception'], ['in_transit', 'returned']],
    ['delivered', ['in_transit', 'out_for_delivery', 'delivered'], []],
    ['returned', ['in_transit', 'exception', 'returned'], []],
    ['cancelled', ['cancelled'], []],
  ]

  const follows = rules.flatMap(([status, way, next]) => next.map((after) => ({ status, way, after })))
  test.each(follows)('may become $after when it is $status', async ({ way, after }) => {
    const { along, put } = await setup()
    const id = await along(...way)
    expect(await put(id, { status: after })).toMatchObject({ success: true, data: { status: after } })
  })

  const forbidden = rules.flatMap(([status, way, next]) =>
    everyStatus.filter((after) => after !== status && !next.includes(after)).map((after) => ({ status, way, after })),
  )
  test.each(forbidden)('can not become $after when it is $status', async ({ way, after }) => {
    const { along, put, get } = await setup()
    const id = await along(...way)
    const before = await get(id)
    expect(await put(id, { status: after })).toMatchObject({
      error: { code: 'CONFLICT', details: { field: 'status' } },
    })
    expect(await get(id)).toMatchObject({ data: 'data' in before ? before.data : {} })
  })

  test.each(rules)('stays %s when an update names the same or none', async (status, way) => {
    const { along, put } = await setup()
    const id = await along(...way)
    expect(await put(id, { status })).toMatchObject({ data: { status } })
    expect(await put(id)).toMatchObject({ data: { status } })
  })

  test('is refused in words that name what may follow', async () => {
    const { along, put, remove } = await setup()
    const id = await along()
    expect(await put(id, { status: 'delivered' })).toMatchObject({
      error: { details: { issue: `can't become "delivered" from "pending", only: in_transit, cancelled` } },
    })
    await remove(id)
    expect(await put(await along('cancelled'), { status: 'pending' })).toMatchObject({
      error: { details: { issue: `can't change any more: "cancelled" is final` } },
    })
  })

  test('leaves each of its changes in the history, with its time', async () => {
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

describe('a new shipment', () => {
  test('needs a reference, two addresses and a parcel', async () => {
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
    ['an address with lines of 128 characters', { origin: { ...origin, street: 's'.repeat(128), region: '' } }],
    ['100 parcels', { parcels: Array.from({ length: 100 }, () => ({ weightKg: 1000 })) }],
    ['a parcel with its measures', { parcels: [{ weightKg: 0.01, lengthCm: 1000, widthCm: 0.1, heightCm: 1 }] }],
    ['a parcel with 256 characters of description', { parcels: [{ weightKg: 1, description: 'd'.repeat(256) }] }],
    ['notes of 2,000 characters', { notes: 'n'.repeat(2000) }],
    ['50 pairs of metadata', { metadata: pairs(50) }],
    ['long pairs of metadata', { metadata: { ['k'.repeat(64)]: 'v'.repeat(512) } }],
    ['a date-time in UTC', { estimatedDelivery: '2026-04-01T12:00:00Z' }],
    ['a date-time with an offset and milliseconds', { estimatedDelivery: '2028-02-29T12:00:00.123+05:30' }],
  ])('may have %s, and shows it as it was sent', async (_case, input) => {
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
      'must be a country’s code of ISO 3166-1 alpha-2, in capitals, such as DE',
      { destination: { ...origin, country: 'XX' } },
    ],
    ['origin.planet', 'is not a known field', { origin: { ...origin, planet: 'Earth' } }],
    ['parcels', 'must have at least 1 entry', { parcels: [] }],
    ['parcels', 'must have at most 100 entries', { parcels: Array.from({ length: 101 }, () => ({ weightKg: 1 })) }],
    ['parcels[0].weightKg', 'is required', { parcels: [{}] }],
    ['parcels[1].weightKg', 'must be more than 0 and at most 1,000', { parcels: [{ weightKg: 1 }, { weightKg: 0 }] }],
    ['parcels[0].weightKg', 'must be more than 0 and at most 1,000', { parcels: [{ weightKg: 1000.01 }] }],
    ['parcels[0].heightCm', 'must be more than 0 and at most 1,000', { parcels: [{ weightKg: 1, heightCm: -1 }] }],
    [
      'parcels[0].description',
      'must have at most 256 characters',
      { parcels: [{ weightKg: 1, description: 'd'.repeat(257) }] },
    ],
    ['notes', 'must have at most 2,000 characters', { notes: 'n'.repeat(2001) }],
    ['metadata', 'must have at most 50 pairs', { metadata: pairs(51) }],
    ['metadata', 'must have names of 1 to 64 characters', { metadata: { ['k'.repeat(65)]: 'v' } }],
    ['metadata', 'must have names of 1 to 64 characters', { metadata: { '': 'v' } }],
    ['metadata.colour', 'must have at most 512 characters', { metadata: { colour: 'v'.repeat(513) } }],
    ['metadata.colour', 'must be a string', { metadata: { colour: 7 } }],
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
  ])('is refused where %s %s, free of charge', async (field, issue, input) => {
    const { core, caller } = await setup()
    const reply = await core.run(createShipment, caller, { ...shipmentInput(), ...input })
    expect(reply).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field, issue } },
      limits: { remaining: 1000 },
    })
  })

  test('is refused where its owner has another of that reference', async () => {
    const { create, core, caller } = await setup()
    await create({ reference: 'a' })
    expect(await core.run(createShipment, caller, shipmentInput('a'))).toMatchObject({
      error: { code: 'CONFLICT', details: { field: 'reference', issue: 'is taken by another shipment' } },
      limits: { remaining: 999 },
    })
  })

  test('may have the reference of another user’s', async () => {
    const { create, addCaller } = await setup()
    await create({ reference: 'a' })
    const { credentials } = await addCaller()
    expect(await create({ reference: 'a' }, credentials)).toMatchObject({ reference: 'a' })
  })

  test('may be an embedding program’s own', async () => {
    const { core } = await setup()
    const made = await core.shipments.create(shipmentInput())
    await expect(core.shipments.create(shipmentInput())).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await core.shipments.list()).toEqual([made])
  })
})

describe('an update', () => {
  test('replaces all that may be written, and empties what it leaves out', async () => {
    const { create, put } = await setup()
    const { id } = await create({ carrier: 'Seven Seas', notes: 'fragile', metadata: { a: 'b' } })
    expect(await put(id, { reference: 'order-2', carrier: 'Eight Winds' })).toMatchObject({
      data: { id, reference: 'order-2', carrier: 'Eight Winds', notes: null, metadata: {} },
    })
  })

  test('takes the record as it was shown, edited', async () => {
    const { create, core, caller, clock } = await setup()
    const shown = await create({ carrier: 'Seven Seas' })
    clock.advance(1000)
    expect(await core.run(updateShipment, caller, { ...shown, notes: 'fragile' })).toMatchObject({
      data: { ...shown, notes: 'fragile', updatedAt: '2026-03-14T09:26:54.589Z' },
    })
  })

  test.each([
    ['createdAt', '2020-01-01T00:00:00.000Z'],
    ['updatedAt', '2020-01-01T00:00:00.000Z'],
    ['history', []],
  ])('does not change %s', async (field, value) => {
    const { create, put } = await setup()
    const { id } = await create()
    expect(await put(id, { [field]: value })).toMatchObject({
      error: {
        code: 'INVALID_REQUEST',
        details: {
          field,
          issue:
            'is read-only, and not as the record has it now, which may have changed since: leave it out, or get the record anew',
        },
      },
    })
  })

  test('can not take the reference of another', async () => {
    const { create, put, get } = await setup()
    await create({ reference: 'a' })
    const { id } = await create({ reference: 'b' })
    expect(await put(id, { reference: 'a' })).toMatchObject({
      error: { code: 'CONFLICT', details: { field: 'reference' } },
    })
    expect(await get(id)).toMatchObject({ data: { reference: 'b' } })
  })

  test('may free a reference for another', async () => {
    const { create, put } = await setup()
    const { id } = await create({ reference: 'a' })
    await put(id, { reference: 'b' })
    expect(await create({ reference: 'a' })).toMatchObject({ reference: 'a' })
  })
})

describe('an update of a version that is no longer there', () => {
  test('is refused, so that no change is lost', async () => {
    const { create, put, get } = await setup()
    const { id } = await create()
    const shown = await get(id)
    expect(shown).toMatchObject({ version: 1 })
    const replies = await Promise.all(['one', 'two'].map((notes) => put(id, { notes }, undefined, [1])))
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    expect(replies.filter((reply) => !reply.success && reply.error.code === 'PRECONDITION_FAILED')).toHaveLength(1)
    expect(await get(id)).toMatchObject({ version: 2 })
  })

  test('is refused, free of charge, also where it would be no change', async () => {
    const { create, put } = await setup()
    const { id } = await create()
    await put(id)
    expect(await put(id, {}, undefined, [1, 7])).toMatchObject({
      error: { code: 'PRECONDITION_FAILED' },
      limits: { remaining: 998 },
    })
    expect(await put(id, {}, undefined, [1, 2])).toMatchObject({ success: true, version: 3 })
  })

  test('is refused for a deletion too', async () => {
    const { create, core, caller, get } = await setup()
    const { id } = await create()
    expect(await core.run(deleteShipment, caller, { id }, { ifMatch: [2] })).toMatchObject({
      error: { code: 'PRECONDITION_FAILED' },
    })
    expect(await get(id)).toMatchObject({ success: true })
    expect(await core.run(deleteShipment, caller, { id }, { ifMatch: 'any' })).toMatchObject({ success: true })
  })
})

describe('a shipment', () => {
  test('belongs to the user that created it: to any other it is not there', async () => {
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

  test('is seen and changed by admins, whose ever it is, and stays its owner’s', async () => {
    const { create, get, put, remove, list, addCaller } = await setup()
    const { id } = await create()
    const { credentials: admin } = await addCaller({ user: { role: 'admin' } })
    expect(await list({}, admin)).toMatchObject({ references: ['order-1'] })
    expect(await put(id, { notes: 'seen' }, admin)).toMatchObject({ success: true })
    expect(await get(id)).toMatchObject({ data: { notes: 'seen' } })
    expect(await remove(id, admin)).toMatchObject({ data: { id, deleted: true } })
    expect(await get(id)).toMatchObject({ error: { code: 'NOT_FOUND' } })
  })

  test.each(everyStatus.slice(0, 2))('that is deleted when %s is gone, and its reference free', async (status) => {
    const { along, remove, get, create } = await setup()
    const id = await along(...(status === 'pending' ? [] : [status]))
    expect(await remove(id)).toMatchObject({ data: { id, deleted: true } })
    expect(await get(id)).toMatchObject({ error: { code: 'NOT_FOUND' } })
    expect(await remove(id)).toMatchObject({ error: { code: 'NOT_FOUND' } })
    expect(await create()).toMatchObject({ reference: 'order-1' })
  })

  test('needs the scope "shipments"', async () => {
    const { addCaller, get, list } = await setup()
    const { credentials } = await addCaller({ key: { scopes: ['models'] } })
    expect(await get('shp_1', credentials)).toMatchObject({ error: { code: 'FORBIDDEN' } })
    await expect(list({}, credentials)).rejects.toThrow('scope "shipments"')
  })
})

describe('what happens to a shipment', () => {
  test('is announced with the change: created, updated, its new status, deleted', async () => {
    const { create, put, remove, stores } = await setup()
    const told = () => stores.read((view) => view.outbox.count())
    const { id } = await create()
    expect(await told()).toBe(1)
    await put(id, { status: 'in_transit' })
    expect(await told()).toBe(3)
    await put(id)
    expect(await told()).toBe(4)
    await put(id, { status: 'delivered' })
    expect(await told()).toBe(4)
    await remove(id)
    expect(await told()).toBe(5)
  })
})

describe('a list of shipments', () => {
  async function withShipments() {
    const world = await setup()
    for (const reference of ['a', 'b', 'c', 'd', 'e']) {
      await world.create({ reference, carrier: reference < 'c' ? 'x' : null })
      world.clock.advance(1000)
    }
    return world
  }

  test('shows the newest first, 20 at a time, unless asked otherwise', async () => {
    const { list } = await withShipments()
    expect(await list()).toEqual({
      references: ['e', 'd', 'c', 'b', 'a'],
      page: { nextCursor: null, hasMore: false, limit: 20 },
    })
    expect(await list({ sort: 'created_at' })).toMatchObject({ references: ['a', 'b', 'c', 'd', 'e'] })
  })

  test.each(['created_at', '-created_at'])('in pages by %s shows everything once', async (sort) => {
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
  })

  test('stays true while shipments are added and removed', async () => {
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
  ])('narrowed by %j shows %j', async (filters, references) => {
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
  ])('is refused where %s %s', async (field, issue, input) => {
    const { core, caller } = await setup()
    expect(await core.run(shipments, caller, input)).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field, issue } },
    })
  })

  test('is refused, free of charge, behind a cursor of another list', async () => {
    const { core, caller, list } = await withShipments()
    const { page } = await list({ limit: 2 })
    const reply = await core.run(shipments, caller, { limit: 2, sort: 'created_at', cursor: page?.nextCursor })
    expect(reply).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'cursor' } },
      limits: { remaining: 994 },
    })
  })
})
