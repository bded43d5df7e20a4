import { describe, expect, test } from 'vitest'
import { shipmentInput, type TestCore, testCore } from '@fairlead/testing'
import { edges, operations } from '@fairlead/testing/workspace'

const loaders = {
  keys: edges['CredentialUsage']!['apiKey']!.loader,
  keyUsage: edges['ApiKey']!['usage']!.loader,
  models: edges['Generation']!['model']!.loader,
  shipmentOwners: edges['Shipment']!['user']!.loader,
}

async function makeShipment({ core }: TestCore, credentials: TestCore['caller'], reference = 'order-1') {
  const reply = await core.run(operations.createShipment, credentials, shipmentInput(reference))
  if (!reply.success) throw new Error(reply.error.message)
  return reply.data.id
}

describe('a loader', () => {
  test('a loader returns records in the order of their ids', async () => {
    const { core, caller } = await testCore()
    const reply = await core.load(loaders.models, caller, ['any', 'none', 'calm/any', 'any'])
    expect(reply).toMatchObject({
      success: true,
      found: [{ data: { id: 'any' } }, undefined, {}, { data: { id: 'any' } }],
    })
  })

  test('a loader is free of charge', async () => {
    const { core, caller, stores, keyId } = await testCore()
    await core.load(loaders.models, caller, ['any'])
    expect((await stores.read((view) => view.counters.peek(keyId))).used).toBe(0)
  })

  test('a loader requires the same access as the operation for one record', async () => {
    const { core, addCaller } = await testCore()
    const { credentials } = await addCaller({ key: { scopes: ['generate'] } })
    expect(await core.load(loaders.models, credentials, ['any'])).toMatchObject({ error: { code: 'FORBIDDEN' } })
    expect(await core.load(loaders.models, { kind: 'none' }, ['any'])).toMatchObject({
      error: { code: 'UNAUTHORIZED' },
    })
  })
})

describe('the owners of shipments', () => {
  test('the owners of shipments are loaded with their versions', async () => {
    const world = await testCore()
    const { credentials, userId } = await world.addCaller()
    const id = await makeShipment(world, credentials)
    const reply = await world.core.load(loaders.shipmentOwners, credentials, [id])
    expect(reply).toMatchObject({ found: [{ data: { id: userId }, version: 1 }] })
  })

  test('the owners of shipments are visible only to themselves and to admins', async () => {
    const world = await testCore()
    const id = await makeShipment(world, world.caller)
    const other = await world.addCaller()
    const admin = await world.addCaller({ user: { role: 'admin' } })
    expect(await world.core.load(loaders.shipmentOwners, other.credentials, [id])).toMatchObject({
      found: [undefined],
    })
    expect(await world.core.load(loaders.shipmentOwners, admin.credentials, [id])).toMatchObject({ found: [{}] })
  })
})

describe('keys and their usage', () => {
  test('keys and their usage are loaded by key id', async () => {
    const { core, caller, keyId } = await testCore()
    await core.run(operations.models, caller, {})
    expect(await core.load(loaders.keys, caller, [keyId])).toMatchObject({ found: [{ data: { id: keyId } }] })
    expect(await core.load(loaders.keyUsage, caller, [keyId])).toMatchObject({
      found: [{ data: { id: keyId, used: 1 } }],
    })
  })

  test('keys and their usage are visible to their owner alone, and keys to admins too', async () => {
    const { core, keyId, addCaller } = await testCore()
    const other = await addCaller()
    const admin = await addCaller({ user: { role: 'admin' } })
    expect(await core.load(loaders.keys, other.credentials, [keyId])).toMatchObject({ found: [undefined] })
    expect(await core.load(loaders.keys, admin.credentials, [keyId])).toMatchObject({
      found: [{ data: { id: keyId } }],
    })
    for (const { credentials } of [other, admin]) {
      expect(await core.load(loaders.keyUsage, credentials, [keyId])).toMatchObject({ found: [undefined] })
    }
  })
})

describe('the user id `me`', () => {
  test('the user id `me` refers to the caller', async () => {
    const { core, addCaller } = await testCore()
    const { credentials, userId } = await addCaller()
    expect(await core.run(operations.user, credentials, { id: 'me' })).toMatchObject({ data: { id: userId } })
  })
})

describe('a page of records', () => {
  test('a page of records has a cursor and a version for each record', async () => {
    const world = await testCore()
    for (const reference of ['a', 'b', 'c']) await makeShipment(world, world.caller, reference)
    const page = await world.core.run(operations.shipments, world.caller, {})
    const [first] = page.success && 'records' in page ? (page.records?.() ?? []) : []
    expect(first).toMatchObject({ version: 1 })
    const rest = await world.core.run(operations.shipments, world.caller, { cursor: first?.cursor })
    expect(rest.success && rest.data).toHaveLength(2)
  })
})
