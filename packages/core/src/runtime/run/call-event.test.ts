import { describe, expect, test } from 'vitest'
import { generateImage } from '../../gateway/images/generate-image.ts'
import { generateText } from '../../gateway/text/generate-text.ts'
import type { Provider } from '../../gateway/provider.ts'
import { ProviderError } from '../../gateway/provider-error.ts'
import {
  begun,
  failing,
  held,
  fakePainter,
  scripted,
  fakeTextModel,
  someWebhook,
  type TestCore,
  testCore,
} from '@fairlead/testing'
import { storedEvents } from '@fairlead/testing/workspace'
import type { WebhookRow } from '@fairlead/webhooks/stores'
import { createIds } from '../id.ts'

const greeting = { model: 'any', prompt: 'greet me' }

/** Subscribes the user of the caller. */
async function subscribe({ stores, clock, keyId }: TestCore, facts: Partial<WebhookRow> = {}): Promise<string | null> {
  const key = await stores.read((view) => view.keys.find(keyId))
  const webhook = someWebhook(createIds(clock.now), { userId: key?.userId ?? null, events: ['*'], ...facts })
  await stores.transact((tx) => tx.webhooks.add(webhook))
  return webhook.userId
}

async function subscribed(provider: Provider): Promise<TestCore> {
  const world = await testCore({ providers: [provider] })
  await subscribe(world)
  return world
}

const types = async ({ stores }: TestCore) => (await storedEvents(stores)).map(({ type }) => type)

describe('the event of a model call', () => {
  test('the event of a model call has the id, the usage and the key of the call, and no content', async () => {
    const world = await testCore({ providers: [scripted('calm', 'hello there')] })
    const userId = await subscribe(world)
    const reply = await world.core.run(generateText, world.caller, greeting, { requestId: 'req_7' })
    if (!reply.success || !('data' in reply)) throw new Error('this should have been a result')
    const [event, ...others] = await storedEvents(world.stores)
    expect(others).toEqual([])
    expect(event).toMatchObject({ type: 'generation.completed', userId, resourceId: reply.data.id })
    expect(event?.data).toEqual({
      id: reply.data.id,
      request_id: 'req_7',
      model: 'any',
      provider: 'calm',
      usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
      cost_usd: 0,
      cached: false,
      attempts: 1,
      duration_ms: 0,
      key_id: world.keyId,
      session_id: null,
    })
  })

  test('the event of a model call has the error code of the response of a failed call', async () => {
    const world = await subscribed(failing('down', 'give_up'))
    await world.core.run(generateText, world.caller, greeting, { requestId: 'req_7' })
    const [event] = await storedEvents(world.stores)
    expect(event).toMatchObject({ type: 'generation.failed', resourceId: 'req_7' })
    expect(event?.data).toMatchObject({ id: 'req_7', error: 'PROVIDER_ERROR', provider: 'down', attempts: 1 })
  })

  test('the event of a model call is stored with the record of an image', async () => {
    const world = await subscribed(fakePainter('studio'))
    const reply = await world.core.run(generateImage, world.caller, { model: 'picture', prompt: 'a cat' })
    if (!reply.success || !('data' in reply)) throw new Error('this should have been a result')
    expect(await storedEvents(world.stores)).toMatchObject([{ type: 'image.completed', resourceId: reply.data.id }])
  })

  test('the event of a model call says that the client closed the request', async () => {
    const provider = held('slow')
    const world = await subscribed(provider)
    const leaving = new AbortController()
    const reply = world.core.run(generateText, world.caller, greeting, { signal: leaving.signal })
    await expect.poll(() => provider.calls.length).toBe(1)
    leaving.abort()
    await reply
    expect(await storedEvents(world.stores)).toMatchObject([{ type: 'generation.failed', data: { error: 'aborted' } }])
  })

  test('the event of a model call says that a stream ended early', async () => {
    const world = await subscribed({
      contract: 2,
      id: 'brittle',
      models: [fakeTextModel()],
      async *streamText() {
        yield* begun('one ')
        throw new ProviderError('give_up', 'the connection was reset')
      },
    })
    const reply = await world.core.run(generateText, world.caller, { ...greeting, stream: true })
    if (!reply.success || !('events' in reply)) throw new Error('this should have been a stream')
    const events = reply.events[Symbol.asyncIterator]()
    while (!(await events.next()).done);
    expect(await storedEvents(world.stores)).toMatchObject([{ type: 'generation.failed', data: { error: 'partial' } }])
  })

  test('the event of a model call is not stored for a request that was rejected before the call', async () => {
    const world = await subscribed(scripted('calm', 'hello'))
    await world.core.run(generateText, world.caller, { ...greeting, temperature: 3 })
    expect(await types(world)).toEqual([])
  })
})

describe('without a subscriber', () => {
  test('a model call stores no event, and its usage without a transaction', async () => {
    const world = await testCore()
    const transactions: unknown[] = []
    const { transact } = world.stores
    Object.assign(world.stores, {
      transact: (...work: Parameters<typeof transact>) => {
        transactions.push(work)
        return transact(...work)
      },
    })
    await world.core.run(generateText, world.caller, greeting)
    expect(await types(world)).toEqual([])
    expect(transactions).toEqual([])
  })

  test.each([
    ['of another user', { userId: 'usr_2' }],
    ['that is disabled', { enabled: false }],
    ['of other events', { events: ['shipment.*', 'generation.failed'] }],
  ])('a webhook %s does not count', async (_name, facts) => {
    const world = await testCore()
    await subscribe(world, facts)
    await world.core.run(generateText, world.caller, greeting)
    expect(await types(world)).toEqual([])
  })

  test('a webhook for the events of all users counts', async () => {
    const world = await testCore()
    await subscribe(world, { userId: 'usr_2', allUsers: true, events: ['generation.*'] })
    await world.core.run(generateText, world.caller, greeting)
    expect(await types(world)).toEqual(['generation.completed'])
  })
})
