import { describe, expect, onTestFinished, test } from 'vitest'
import { operations, scopes } from '@fairlead/testing/workspace'
import type { Credentials } from '@fairlead/core'
import type { Scope } from '@fairlead/core/stores'
import { shipmentInput, testCore } from '@fairlead/testing'
import { findEvents } from '../loaders.ts'

const forbidden = { error: { code: 'FORBIDDEN' } }

/** A user with one event of a shipment and one of an API key, and a key with only the given scopes. */
async function world(...held: readonly Scope[]) {
  const setup = await testCore()
  const { core, stores, clock, addCaller } = setup
  onTestFinished(() => core.close())
  const owner = await addCaller({ user: { tier: 'pro' } })
  const { run } = core
  const created = await run(operations.createApiKey, owner.credentials, { name: 'limited', scopes: held })
  if (!created.success) throw new Error(created.error.message)
  const limited: Credentials = { kind: 'bearer', token: created.data.secret }
  await run(operations.createShipment, owner.credentials, shipmentInput())
  const events = await stores.read((view) => view.events.list({}, { first: 'oldest', limit: 10 }))
  const eventId = (type: string) => events.find((event) => event.type === type)?.id ?? ''
  return { ...setup, run, owner, limited, limitedId: created.data.id, eventId, clock }
}

describe('the event types', () => {
  test('the event types each name the scope of their record', async () => {
    const { core } = await world('events')
    expect(core.eventTypes.filter(({ scope }) => scope === undefined).map(({ type }) => type)).toEqual([])
    const findScope = (type: string) => core.eventTypes.find((each) => each.type === type)?.scope
    expect(['shipment.created', 'api_key.revoked', 'user.deleted', 'analysis.failed'].map(findScope)).toEqual([
      'shipments',
      'keys',
      'users',
      'analyze',
    ])
  })
})

describe('a key with the scope events', () => {
  test('a key with the scope events lists only the events whose scope it has', async () => {
    const { run, limited, owner } = await world('events', 'shipments')
    const types = async (credentials: Credentials) => {
      const reply = await run(operations.events, credentials, {})
      return reply.success ? reply.data.map(({ type }) => type).toSorted() : reply.error
    }
    expect(await types(limited)).toEqual(['shipment.created'])
    expect(await types(owner.credentials)).toEqual(['api_key.created', 'shipment.created'])
  })

  test('a key with the scope events lists nothing without any other scope, and gets 403 for a type that it may not have', async () => {
    const { run, limited } = await world('events')
    expect(await run(operations.events, limited, {})).toMatchObject({ data: [] })
    for (const type of ['shipment.*', 'shipment.created']) {
      expect(await run(operations.events, limited, { type })).toMatchObject(forbidden)
      expect(await run(operations.eventStream, limited, { type })).toMatchObject(forbidden)
    }
  })

  test('a key with the scope events does not get the other events by their id, over REST or GraphQL', async () => {
    const { core, run, limited, eventId } = await world('events', 'shipments')
    const [mine, other] = [eventId('shipment.created'), eventId('api_key.created')]
    expect(await run(operations.event, limited, { id: mine })).toMatchObject({ success: true })
    expect(await run(operations.event, limited, { id: other })).toMatchObject({ error: { code: 'NOT_FOUND' } })
    const loaded = await core.load(findEvents, limited, [mine, other])
    expect(loaded).toMatchObject({ found: [{ data: { id: mine } }, undefined] })
  })

  test('a key with the scope events streams only the events whose scope it has', async () => {
    const { run, owner, limited } = await world('events', 'keys')
    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const reply = await run(operations.eventStream, limited, {}, { signal: leaving.signal })
    if (!reply.success || !('events' in reply)) throw new Error('this should have been a stream')
    const next = reply.events[Symbol.asyncIterator]().next()
    await new Promise(setImmediate)
    await run(operations.createShipment, owner.credentials, shipmentInput('another'))
    await run(operations.createApiKey, owner.credentials, { name: 'next' })
    expect(await next).toMatchObject({ value: { chunk: { type: 'api_key.created' } } })
  })
})

describe('a key with the scope webhooks', () => {
  const url = 'https://example.com/hooks'

  test('a key with the scope webhooks creates webhooks only for event types whose scope it has', async () => {
    const { run, limited } = await world('webhooks', 'shipments')
    const create = (...events: readonly string[]) => run(operations.createWebhook, limited, { url, events })
    expect(await create('shipment.*', 'webhook.disabled')).toMatchObject({ success: true })
    expect(await create('shipment.*', '*')).toMatchObject({
      error: { code: 'FORBIDDEN', details: { field: 'events[1]' } },
    })
    expect(await create('user.created')).toMatchObject(forbidden)
  })

  test('a key with the scope webhooks neither adds such types to a webhook nor sends them to another URL', async () => {
    const { run, owner, limited } = await world('webhooks')
    const made = await run(operations.createWebhook, owner.credentials, { url, events: ['shipment.*'] })
    const id = made.success ? made.data.id : ''
    const patch = (fields: object) => run(operations.patchWebhook, limited, { id, ...fields })
    expect(await patch({ events: ['shipment.*', 'user.*'] })).toMatchObject(forbidden)
    expect(await patch({ url: 'https://example.com/mine' })).toMatchObject(forbidden)
    expect(await patch({ description: 'orders' })).toMatchObject({ data: { description: 'orders' } })
    const put = (fields: object) =>
      run(operations.updateWebhook, limited, { id, url, events: ['shipment.*'], ...fields })
    expect(await put({ url: 'https://example.com/mine' })).toMatchObject(forbidden)
    expect(await put({ description: 'parcels' })).toMatchObject({ data: { description: 'parcels' } })
  })
})

describe('a stream of events', () => {
  async function open(facts: { readonly role?: 'admin' } = {}) {
    const setup = await testCore()
    onTestFinished(() => setup.core.close())
    const user = await setup.addCaller({ user: facts })
    await setup.addCaller({ user: { role: 'admin' } })
    const reply = await setup.core.run(operations.eventStream, user.credentials, { type: 'webhook.*' })
    if (!reply.success || !('events' in reply)) throw new Error('this should have been a stream')
    let ended: unknown
    void reply.events[Symbol.asyncIterator]()
      .next()
      .then(({ value }) => (ended = value))
    await new Promise(setImmediate)
    return { ...setup, ...user, ended: () => ended }
  }
  const error = { type: 'error', reply: forbidden }

  test('a stream of events ends at once when its user is demoted, suspended, or its key loses a scope on this node', async () => {
    const demoted = await open({ role: 'admin' })
    await demoted.fairlead.users.patch({ id: demoted.userId, role: 'member' })
    await expect.poll(demoted.ended).toMatchObject(error)
    const suspended = await open()
    await suspended.fairlead.users.patch({ id: suspended.userId, status: 'suspended' })
    await expect.poll(suspended.ended).toMatchObject(error)
    const narrowed = await open()
    const { core, credentials, keyId } = narrowed
    const rest = Object.keys(scopes).filter((scope) => scope !== 'shipments')
    await core.run(operations.updateApiKey, credentials, { id: keyId, scopes: rest })
    await expect.poll(narrowed.ended).toMatchObject(error)
  })

  test('a stream of events continues when its user is renamed', async () => {
    const { fairlead, userId, ended } = await open()
    await fairlead.users.patch({ id: userId, name: 'Grace' })
    await new Promise(setImmediate)
    expect(ended()).toBeUndefined()
  })

  test('a stream of events ends within five seconds when its user is demoted on another node', async () => {
    const { core, stores, clock, userId, credentials, ended } = await open({ role: 'admin' })
    clock.advance(3_999)
    await core.run(operations.models, credentials, {})
    await stores.transact(async (tx) => {
      const user = await tx.users.take(userId)
      if (user) await tx.users.replace({ ...user, role: 'member' })
    })
    clock.advance(1)
    await new Promise(setImmediate)
    clock.advance(4_000)
    await expect.poll(ended).toMatchObject(error)
  })
})
