import type { Provider, TextEvent } from '@fairlead/core/provider'
import { operations } from '@fairlead/testing/workspace'
import { failing, scripted, shipmentInput, fakeTextModel } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { resultsIn, serve } from './testing/serve.ts'

const subscription = `subscription($input: GenerateInput!) {
  generateStream(input: $input) {
    ... on GenerationChunk { content }
    ... on Generation { content finishReason meta { provider } }
  }
}`
const events = { headers: { accept: 'text/event-stream' } }
const asked = { input: { model: 'any', prompt: 'x' } }

const wellBegun: readonly TextEvent[] = [
  { type: 'part_start', index: 0, part: { type: 'text', text: '' } },
  { type: 'part_delta', index: 0, text: 'well' },
]

/** Streams one chunk and then hangs. */
const endless: Provider = {
  contract: 2,
  id: 'endless',
  models: [fakeTextModel({ streaming: true })],
  async *streamText(_request, { signal }): AsyncGenerator<TextEvent> {
    yield* wellBegun
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  },
}

/** Hangs before the first chunk. */
const silent: Provider = {
  ...endless,
  // oxlint-disable-next-line require-yield -- it hangs
  async *streamText(_request, { signal }): AsyncGenerator<TextEvent> {
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  },
}

function post(url: string, token: string, signal?: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: subscription, variables: asked }),
    ...(signal && { signal }),
  })
}

async function openStream(url: string, token: string, signal?: AbortSignal) {
  return createReader(await post(url, token, signal))
}

function createReader({ body }: Response) {
  if (!body) throw new Error('there is no stream')
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  return {
    /** Reads until this text, or to the end. */
    async until(text: string): Promise<string> {
      while (!heard.includes(text)) {
        const { done, value } = await reader.read()
        if (done) break
        heard += value
      }
      return heard
    },
  }
}

describe('events', () => {
  test('events are streamed as they are stored, and continue after the one that the client has', async () => {
    const { url, core, caller } = await serve()
    const query = 'subscription($after: String) { events(type: "shipment.*", after: $after) { id type data } }'
    const open = async (after?: string) =>
      createReader(
        await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'text/event-stream',
            authorization: `Bearer ${caller.token}`,
          },
          body: JSON.stringify({ query, variables: { after } }),
        }),
      )
    const add = (reference: string) => core.run(operations.createShipment, caller, shipmentInput(reference))

    await add('order-1')
    const listed = await core.run(operations.events, caller, {})
    const first = listed.success && 'data' in listed ? listed.data[0]?.id : undefined
    await add('order-2')
    expect(await (await open(first)).until('order-2')).toContain('"type":"shipment.created"')
  })
})

describe('a subscription', () => {
  test('a subscription sends chunks as they arrive, then the whole result', async () => {
    const { ask, stores, keyId } = await serve({ providers: [scripted('calm', 'hello there')] })
    const reply = await ask(subscription, asked, events)
    expect(reply.headers.get('content-type')).toContain('text/event-stream')
    expect(reply.headers.get('x-ratelimit-remaining')).toBe('999')
    expect(resultsIn(reply)).toEqual([
      { data: { generateStream: { content: 'hello' } } },
      { data: { generateStream: { content: ' there' } } },
      { data: { generateStream: { content: 'hello there', finishReason: 'STOP', meta: { provider: 'calm' } } } },
    ])
    expect((await stores.read((view) => view.counters.peek(keyId))).used).toBe(1)
  })

  test.each(['*/*', 'multipart/mixed, text/event-stream'])(
    'a subscription is sent as events if the client accepts them: %s',
    async (accept) => {
      const { ask } = await serve({ providers: [scripted('calm', 'hello there')] })
      const reply = await ask(subscription, asked, { headers: { accept } })
      expect(reply.headers.get('content-type')).toBe('text/event-stream')
      expect(resultsIn(reply)).toHaveLength(3)
    },
  )

  test('a subscription that is rejected has one error, and is free', async () => {
    const { ask, stores, keyId } = await serve()
    const reply = await ask(subscription, { input: { model: 'nope', prompt: 'x' } }, events)
    expect(resultsIn(reply)).toMatchObject([{ errors: [{ extensions: { code: 'INVALID_REQUEST' } }] }])
    expect((await stores.read((view) => view.counters.peek(keyId))).used).toBe(0)
  })

  test.each([
    ['*/*', 'application/json', 200],
    ['application/json, text/event-stream', 'application/json', 200],
    ['text/event-stream, application/graphql-response+json', 'application/graphql-response+json', 400],
  ])('a subscription that is rejected gets JSON if the client accepts that: %s', async (accept, type, status) => {
    const { ask } = await serve()
    const refused = { input: { model: 'nope', prompt: 'x' } }
    const reply = await ask(subscription, refused, { headers: { accept } })
    expect([reply.headers.get('content-type'), reply.status]).toEqual([`${type}; charset=utf-8`, status])
    expect(reply.json).toMatchObject({ errors: [{ extensions: { code: 'INVALID_REQUEST' } }] })
  })

  test('a subscription sends its headers before the first chunk, then a comment every 15 seconds', async () => {
    const { url, caller, clock } = await serve({ providers: [silent] })
    const response = await post(url, caller.token)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('x-ratelimit-remaining')).toBe('999')
    const stream = createReader(response)
    clock.advance(15_000)
    clock.advance(15_000)
    expect(await stream.until(': ping\n\n: ping\n\n')).toBe(': ping\n\n: ping\n\n')
  })

  test('a subscription that fails before its first chunk is one event with the error, and is free', async () => {
    const { ask, stores, keyId } = await serve({ providers: [failing('down', 'give_up')] })
    expect(resultsIn(await ask(subscription, asked, events))).toMatchObject([
      { data: { generateStream: null }, errors: [{ extensions: { code: 'PROVIDER_ERROR' } }] },
    ])
    expect((await stores.read((view) => view.counters.peek(keyId))).used).toBe(0)
  })

  test('a subscription that fails midway ends with an error', async () => {
    const broken: Provider = {
      ...endless,
      async *streamText() {
        yield* wellBegun
        throw new Error('the line went dead')
      },
    }
    const { ask } = await serve({ providers: [broken] })
    const heard = resultsIn(await ask(subscription, asked, events))
    expect(heard).toMatchObject([
      { data: { generateStream: { content: 'well' } } },
      { data: { generateStream: null }, errors: [{ extensions: { code: 'PROVIDER_ERROR' } }] },
    ])
  })

  test('a subscription ends within fifteen seconds after its key is revoked', async () => {
    const { url, caller, stores, clock, keyId } = await serve({ providers: [endless] })
    const stream = await openStream(url, caller.token)
    await stream.until('well')
    await stores.transact((tx) => tx.keys.revoke(keyId, clock.now()))
    clock.advance(15_000)
    expect(await stream.until('event: complete')).toContain('UNAUTHORIZED')
  })

  test('a subscription that the client closes aborts the model call, and is charged and recorded once', async () => {
    const { url, caller, stores, keyId, accessLog } = await serve({ providers: [endless] })
    const leaving = new AbortController()
    const stream = await openStream(url, caller.token, leaving.signal)
    await stream.until('well')
    leaving.abort()
    await expect.poll(() => accessLog).toMatchObject([{ aborted: true }])
    const [{ requestId = '' } = {}] = accessLog
    const outcomes = () => stores.read((view) => view.usage.ofRequest(requestId))
    await expect.poll(outcomes).toMatchObject([{ outcome: 'partial' }])
    expect((await stores.read((view) => view.counters.peek(keyId))).used).toBe(1)
  })

  test.each(['application/json', 'application/json, text/event-stream;q=0', 'text/event-streams, application/json'])(
    'a subscription is rejected with Accept: %s',
    async (accept) => {
      const { ask, stores, keyId } = await serve()
      const { status } = await ask(subscription, asked, { headers: { accept } })
      expect(status).toBe(406)
      expect((await stores.read((view) => view.counters.peek(keyId))).used).toBe(0)
    },
  )
})
