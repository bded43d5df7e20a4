import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { announceHead, createAuditSink } from '@fairlead/accounts/workspace'
import type { Analysis, Provider } from '../gateway/provider.ts'
import { ProviderError } from '../gateway/provider-error.ts'
import { createFairlead } from './create-fairlead.ts'
import { operations, storedEvents, someDelivery, silentLog } from '@fairlead/testing/workspace'
import type { Credentials } from '../runtime/access.ts'
import {
  type EventType,
  createEvent,
  defineEvent,
  exampleEvent,
  maxEventBytes,
  type EventRow,
} from '../runtime/events/event-type.ts'
import { createIds } from '../runtime/id.ts'
import { createKeyring } from '../runtime/keyring.ts'
import { defineFeature } from '../gateway/own-features.ts'
import type { Operation } from '../runtime/operation.ts'
import { wireNames } from '../runtime/schema/wire-names.ts'
import { shipmentEvents } from '@fairlead/shipments/workspace'
import {
  embedder,
  failing,
  fakePainter,
  reader,
  scripted,
  fakeTextModel,
  someEvent,
  shipmentInput,
  someWebhook,
  testCore,
} from '@fairlead/testing'
import { formatted } from '../../../../scripts/formatted.ts'
import { settleDelivery } from '@fairlead/webhooks/workspace'

const analysis: Analysis = { sentiment: { score: 0.5, label: 'positive' } }

const secretKeys = { current: 'the key of the events' }

/** A core, and an admin whose webhook subscribes to the events of all users. */
async function setup() {
  const blind: Provider = {
    ...reader('blind', analysis),
    analyze: () => Promise.reject(new ProviderError('give_up', 'the analyzer failed')),
  }
  const silent: Provider = {
    ...embedder('silent'),
    embed: () => Promise.reject(new ProviderError('give_up', 'the model failed')),
  }
  const providers = [
    { ...scripted('calm', 'hello'), models: [fakeTextModel({ pricing: { input: 0, output: 1_000 } })] },
    fakePainter('studio'),
    embedder('numbers'),
    silent,
    reader('sharp', analysis),
    blind,
    failing('down', 'give_up'),
  ]
  const world = await testCore({ providers, secretKeys })
  const newId = createIds(world.clock.now)
  const admin = await world.addCaller({ user: { role: 'admin', tier: 'enterprise' } })
  const webhook = someWebhook(newId, { userId: admin.userId, allUsers: true, events: ['*'] })
  await world.stores.transact((tx) => tx.webhooks.add(webhook))

  async function run(operation: Operation, input: unknown, credentials: Credentials = admin.credentials) {
    const reply = await world.core.run(operation, credentials, input)
    return reply.success && 'data' in reply ? (reply.data as { readonly id: string }) : { id: '' }
  }

  return { ...world, newId, admin, webhook, run }
}

type World = Awaited<ReturnType<typeof setup>>

const causes: Readonly<Record<string, (world: World) => Promise<void>>> = {
  async calls({ run, addCaller }) {
    // The first call spends two thirds of the budget, and the second one is rejected.
    const { credentials } = await addCaller({ user: { budgetUsd: 0.0015 } })
    const input = { model: 'calm/any', prompt: 'hi', maxTokens: 1 }
    for (let sent = 0; sent < 2; sent++) await run(operations.generate, input, credentials)
    await run(operations.generate, { model: 'down/any', prompt: 'hi' })
    for (const model of ['picture', 'down/picture']) await run(operations.generateImage, { model, prompt: 'a cat' })
    for (const model of ['numbers/vectors', 'silent/vectors']) await run(operations.embed, { model, texts: ['hi'] })
    for (const model of ['sharp/eyes', 'blind/eyes'])
      await run(operations.analyze, { text: 'fine', tasks: ['sentiment'], model })
  },
  async users({ run }) {
    const { id } = await run(operations.createUser, {
      email: 'ada@example.com',
      name: 'Ada',
      password: 'correct horse',
    })
    await run(operations.patchUser, { id, name: 'Ada L.' })
    await run(operations.deleteUser, { id })
  },
  async keys({ run }) {
    const { id } = await run(operations.createApiKey, { name: 'production' })
    await run(operations.updateApiKey, { id, name: 'staging' })
    await run(operations.rotateApiKey, { id })
    await run(operations.revokeApiKey, { id })
  },
  async quotas({ run, addCaller }) {
    const { credentials } = await addCaller({ user: { tier: 'enterprise', quotaLimit: 5 } })
    for (let sent = 0; sent < 6; sent++) await run(operations.models, {}, credentials)
  },
  async shipments({ run }) {
    const { id } = await run(operations.createShipment, shipmentInput())
    await run(operations.patchShipment, { id, status: 'in_transit' })
    await run(operations.deleteShipment, { id })
  },
  async webhooks({ stores, clock, newId, webhook, run }) {
    await run(operations.testWebhook, { id: webhook.id })
    const event = someEvent(newId)
    const delivery = someDelivery(newId, { webhookId: webhook.id, eventId: event.id })
    await stores.transact((tx) => tx.deliveries.add([delivery]))
    const context = {
      stores,
      clock,
      log: { error: () => {}, warn: () => {} },
      newId,
      random: () => 0,
      observer: {},
      outbound: { request: () => Promise.reject(new Error('unused')) },
      sendMail: () => Promise.reject(new Error('unused')),
      sign: () => '',
      addEvents: (tx: Parameters<Parameters<typeof stores.transact>[0]>[0], events: readonly EventRow[]) =>
        tx.events.add(events),
      addAuditEntries: async () => {},
    }
    const attempt = { at: clock.now(), durationMs: 1, status: 410, error: null }
    await settleDelivery(context, { delivery, event, webhook, owner: undefined }, { attempt })
  },
  async audit({ stores, clock, core }) {
    const context = {
      stores,
      clock,
      log: silentLog,
      keyring: createKeyring(secretKeys),
      observer: {},
      eventTypes: core.eventTypes,
      scopes: [],
      addAuditEntries: async () => {},
      addEvents: (tx: Parameters<Parameters<typeof stores.transact>[0]>[0], events: readonly EventRow[]) =>
        tx.events.add(events),
      eventsCommitted: () => {},
    }
    await announceHead(context, createAuditSink(context))
  },
}

/** Parses the data of an event, and fails for a field that the schema does not have. */
function parsed(type: EventType, data: EventRow['data']): unknown {
  return type.data.strict().parse(wireNames(type.data).read(data))
}

describe('the event types', () => {
  test('the event types are each emitted once, with data that matches their schema', async () => {
    const world = await setup()
    for (const cause of Object.values(causes)) await cause(world)
    const events = await storedEvents(world.stores)
    const { eventTypes } = world.core
    expect(events.map(({ type }) => type).toSorted()).toEqual(eventTypes.map(({ type }) => type).toSorted())
    for (const type of eventTypes) {
      const event = events.find((each) => each.type === type.type)
      const data = parsed(type, event?.data ?? {})
      expect(wireNames(type.data).write(data)).toEqual(event?.data)
      expect(event?.resourceId).toBe(event?.data['id'])
    }
  })

  test('the event types contain no password, secret, prompt, or content', async () => {
    const world = await setup()
    for (const cause of Object.values(causes)) await cause(world)
    const text = JSON.stringify(await storedEvents(world.stores))
    for (const secret of ['correct horse', '"secret', 'hash', 'a cat', 'hello', 'fine', 'prompt"']) {
      expect(text).not.toContain(secret)
    }
  })

  test('the event types have an example that matches their schema', async () => {
    const { core } = await setup()
    for (const type of core.eventTypes) {
      expect(parsed(type, exampleEvent(type)['data'] as EventRow['data'])).toEqual(type.example)
    }
  })

  test('the event types count the deletion of a record as its next version, so that receivers sort it last', async () => {
    const world = await setup()
    await causes['shipments']?.(world)
    const events = await storedEvents(world.stores)
    const readVersion = (type: string) => events.find((event) => event.type === type)?.data['version']
    expect(['shipment.created', 'shipment.updated', 'shipment.deleted'].map(readVersion)).toEqual([1, 2, 3])
  })
})

describe('docs/events.md', () => {
  const path = join(import.meta.dirname, '../../../../docs/events.md')
  const page = readFileSync(path, 'utf8')
  const exampleFields = ({ example }: EventType) => Object.keys(example)

  test('docs/events.md lists every event type with its summary', async () => {
    const { core } = await setup()
    const rows = [...page.matchAll(/^\| `(\S+)` +\| (.*?) +\|$/gm)].map(([, type, summary]) => ({ type, summary }))
    expect(rows).toEqual(core.eventTypes.map(({ type, summary }) => ({ type, summary })))
  })

  test('docs/events.md has an example with the fields of every event type', async () => {
    const { core } = await setup()
    const shown = [...page.matchAll(/^### (\S+)\n\n```json$/gm)].map(([, type]) => type)
    const fieldsShown = core.eventTypes.filter(({ type }) => shown.includes(type)).map(exampleFields)
    const without = core.eventTypes.filter(
      (event) => !fieldsShown.some((fields) => exampleFields(event).every((field) => fields.includes(field))),
    )
    expect(without.map(({ type }) => type)).toEqual([])
    const examples = new Map(core.eventTypes.map((event) => [event.type, JSON.stringify(exampleEvent(event), null, 2)]))
    const current = page.replace(
      /^(### (\S+)\n\n```json\n).*?```/gms,
      (_block, head: string, type: string) => `${head}${examples.get(type)}\n\`\`\``,
    )
    await expect(formatted(current, 'events.md'), 'out of date; npm run generate writes it').toMatchFileSnapshot(path)
  })
})

describe('createEvent', () => {
  const noted = defineEvent({
    type: 'note.created',
    summary: 'A note was created.',
    version: 1,
    data: z.object({ id: z.string(), version: z.int(), longText: z.string() }),
    example: { id: 'note_1', version: 1, longText: 'x' },
  })
  const facts = { id: 'evt_1', userId: null, createdAt: 7 }
  const overhead = JSON.stringify({ id: 'note_1', version: 4, long_text: '' }).length

  test('createEvent keeps data of 20,000 bytes', () => {
    const longText = 'x'.repeat(maxEventBytes - overhead)
    const { data, resourceId } = createEvent(noted, { id: 'note_1', version: 4, longText }, facts)
    expect(data).toEqual({ id: 'note_1', version: 4, long_text: longText })
    expect(resourceId).toBe('note_1')
  })

  test('createEvent replaces larger data by a reference', () => {
    const longText = 'ü'.repeat(maxEventBytes / 2)
    const { data } = createEvent(noted, { id: 'note_1', version: 4, longText }, facts)
    expect(data).toEqual({ id: 'note_1', version: 4, truncated: true })
  })
})

describe('createFairlead', () => {
  test('createFairlead rejects two event types with the same name', () => {
    const events = Object.values(shipmentEvents)
    const features = [
      defineFeature({ name: 'a', operations: {}, events }),
      defineFeature({ name: 'b', operations: {}, events }),
    ]
    expect(() => createFairlead({ providers: [], features })).toThrow('Two event types are named "shipment.created"')
  })
})
