import { createIds } from '@fairlead/core/adapter'
import { someShipment } from '../fakes/some-shipment.ts'
import type { ShipmentRow, ShipmentFilters, ShipmentStores } from '@fairlead/shipments/stores'
import type { Slice } from '@fairlead/core/stores'
import { describe, expect, test } from 'vitest'

/** The part of the store suite for shipments. */
export function shipmentSuite(stores: () => ShipmentStores): void {
  const newId = createIds(Date.now)
  const make = (facts: Partial<ShipmentRow> = {}) => someShipment(newId, { reference: newId('req'), ...facts })
  const add = (shipment: ShipmentRow) => stores().transact((tx) => tx.shipments.add(shipment))
  const find = (id: string) => stores().read((view) => view.shipments.find(id))
  const list = async (filters: ShipmentFilters = {}, slice: Partial<Slice> = {}) => {
    const found = await stores().read((view) => view.shipments.list(filters, { first: 'oldest', limit: 100, ...slice }))
    return found.map(({ id }) => id)
  }
  async function added(...facts: readonly Partial<ShipmentRow>[]): Promise<readonly ShipmentRow[]> {
    const shipments = facts.map(make)
    for (const shipment of shipments) await add(shipment)
    return shipments
  }

  describe('shipments', () => {
    test.each<[string, Partial<ShipmentRow>]>([
      ['with only the required fields', {}],
      ['of an embedding program', { userId: null }],
      [
        'with everything',
        {
          status: 'in_transit',
          carrier: 'Seven Seas',
          trackingNumber: '7C',
          parcels: [{ weightKg: 0.001, lengthCm: 1, widthCm: 2.5, heightCm: 1000, description: 'a “jar”\n' }],
          notes: '',
          metadata: { 'a.b': 'c', '': 'é😀' },
          estimatedDelivery: '2026-03-20T10:00:00+01:00',
          history: [
            { status: 'pending', at: 1 },
            { status: 'in_transit', at: 2 },
          ],
          updatedAt: 1_900_000_000_000,
          version: 12,
        },
      ],
    ])('%s are returned as they were added', async (_case, facts) => {
      const shipment = make(facts)
      expect(await add(shipment)).toBe(true)
      expect(await find(shipment.id)).toEqual(shipment)
      expect(await stores().transact((tx) => tx.shipments.take(shipment.id))).toEqual(shipment)
    })

    test('shipments are found in batches, without duplicates', async () => {
      const [one, other] = [make({ reference: 'a' }), make({ reference: 'b' })]
      await add(one)
      await add(other)
      const findMany = (ids: readonly string[]) => stores().read((view) => view.shipments.findMany(ids))
      const found = await findMany([one.id, 'shp_1', other.id, one.id])
      expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
        [one, other].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      )
      expect(await findMany([])).toEqual([])
    })

    test('shipments are not found if they do not exist, and removing one changes nothing', async () => {
      expect(await find('shp_1')).toBeUndefined()
      expect(await stores().transact((tx) => tx.shipments.take('shp_1'))).toBeUndefined()
      await stores().transact((tx) => tx.shipments.remove('shp_1'))
      expect(await list()).toEqual([])
    })

    test.each([['usr_1'], [null]])('shipments of the owner %s have unique references', async (userId) => {
      const [first] = await added({ userId, reference: 'a' })
      expect(await add(make({ userId, reference: 'a' }))).toBe(false)
      expect(await add(make({ userId: 'usr_2', reference: 'a' }))).toBe(true)
      expect(await add(make({ userId, reference: 'A' }))).toBe(true)
      expect(await list({ reference: 'a', userId: 'usr_1' })).toEqual(userId === null ? [] : [first?.id])
    })

    test('shipments are added once when added concurrently with the same reference', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => add(make({ reference: 'a' }))))
      expect(answers.filter(Boolean)).toHaveLength(1)
      expect(await list()).toHaveLength(1)
    })

    test('shipments are replaced as a whole', async () => {
      const [shipment] = (await added({ reference: 'a' })) as [ShipmentRow]
      const after: ShipmentRow = { ...shipment, reference: 'b', notes: 'fragile', status: 'cancelled', version: 2 }
      expect(await stores().transact((tx) => tx.shipments.replace(after))).toBe(true)
      expect(await find(shipment.id)).toEqual(after)
      expect(await add(make({ reference: 'a' }))).toBe(true)
      expect(await add(make({ reference: 'b' }))).toBe(false)
    })

    test('shipments cannot be replaced with the reference of another shipment', async () => {
      const [, other] = (await added({ reference: 'a' }, { reference: 'b' })) as [ShipmentRow, ShipmentRow]
      const replacing = stores().transact(async (tx) => {
        if (!(await tx.shipments.replace({ ...other, reference: 'a' }))) throw new Error('taken')
      })
      await expect(replacing).rejects.toThrow('taken')
      expect(await find(other.id)).toEqual(other)
    })

    test('shipments are changed one after the other when they are locked first', async () => {
      const [{ id }] = (await added({})) as [ShipmentRow]
      const change = () =>
        stores().transact(async (tx) => {
          const shipment = (await tx.shipments.take(id)) as ShipmentRow
          await tx.shipments.replace({ ...shipment, version: shipment.version + 1 })
        })
      await Promise.all(Array.from({ length: 20 }, change))
      expect(await find(id)).toMatchObject({ version: 21 })
    })

    test('shipments release their reference when they are removed', async () => {
      const [shipment] = (await added({ reference: 'a' })) as [ShipmentRow]
      await stores().transact((tx) => tx.shipments.remove(shipment.id))
      expect(await find(shipment.id)).toBeUndefined()
      expect(await add(make({ reference: 'a' }))).toBe(true)
    })

    test('shipments of one owner are removed together', async () => {
      const [, , kept] = (await added({}, {}, { userId: 'usr_2' })) as [ShipmentRow, ShipmentRow, ShipmentRow]
      await stores().transact((tx) => tx.shipments.removeAllOf('usr_1'))
      expect(await list()).toEqual([kept.id])
    })

    test('shipments keep their reference when the transaction that removes them fails', async () => {
      const [shipment] = (await added({ reference: 'a' })) as [ShipmentRow]
      const failing = stores().transact(async (tx) => {
        await tx.shipments.remove(shipment.id)
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await find(shipment.id)).toEqual(shipment)
      expect(await add(make({ reference: 'a' }))).toBe(false)
    })
  })

  describe('lists of shipments', () => {
    test('lists of shipments are sorted by creation time, then by id', async () => {
      const made = await added({ createdAt: 3 }, { createdAt: 1 }, { createdAt: 2 }, { createdAt: 2 })
      const [c, a, ...b] = made.map(({ id }) => id)
      const oldestFirst = [a, ...b.sort(), c]
      expect(await list()).toEqual(oldestFirst)
      expect(await list({}, { first: 'newest' })).toEqual(oldestFirst.toReversed())
    })

    test.each(['oldest', 'newest'] as const)(
      'lists of shipments continue after a record, the %s first',
      async (first) => {
        await added(...[1, 2, 2, 2, 2, 3].map((createdAt) => ({ createdAt })))
        const whole = await list({}, { first })
        const seen: string[] = []
        let after: ShipmentRow | undefined
        do {
          const page = await stores().read((view) =>
            view.shipments.list({}, { first, limit: 2, ...(after && { after }) }),
          )
          after = page.at(-1)
          seen.push(...page.map(({ id }) => id))
        } while (after)
        expect(seen).toEqual(whole)
      },
    )

    test('lists of shipments apply each filter, alone and combined', async () => {
      const [a, b, c] = (
        await added(
          { userId: 'usr_1', status: 'pending', carrier: 'x', reference: 'a', createdAt: 10 },
          { userId: 'usr_1', status: 'delivered', carrier: null, reference: 'b', createdAt: 20 },
          { userId: 'usr_2', status: 'pending', carrier: 'x', reference: 'a', createdAt: 30 },
        )
      ).map(({ id }) => id)
      expect(await list({ userId: 'usr_1' })).toEqual([a, b])
      expect(await list({ status: 'pending' })).toEqual([a, c])
      expect(await list({ carrier: 'x' })).toEqual([a, c])
      expect(await list({ reference: 'a' })).toEqual([a, c])
      expect(await list({ createdAfter: 10 })).toEqual([b, c])
      expect(await list({ createdBefore: 30 })).toEqual([a, b])
      expect(await list({ createdAfter: 10, createdBefore: 30 })).toEqual([b])
      expect(await list({ userId: 'usr_1', status: 'pending', carrier: 'x', reference: 'a' })).toEqual([a])
      expect(await list({ userId: 'usr_1', status: 'returned' })).toEqual([])
    })
  })
}
