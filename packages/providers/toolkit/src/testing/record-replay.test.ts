import { openTestUpstream, type RecordedExchange, replaying } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { createHttpClient } from '../index.ts'
import { openRecorder, openReplay } from '../testing.ts'

const apiKey = 'sk-canary-0a1b2c3d4e'
const signal = new AbortController().signal
const schema = z.object({ text: z.string() })

async function record(reply: RecordedExchange['reply']) {
  const upstream = await openTestUpstream()
  upstream.answer(replaying(reply))
  const recorder = await openRecorder({ origin: upstream.url, secrets: [apiKey, 'org-Canary'] })
  onTestFinished(() => recorder.close())
  onTestFinished(() => upstream.close())
  return { recorder, upstream }
}

function client(url: string) {
  const made = createHttpClient({ id: 'acme', baseUrl: url, apiKey })
  onTestFinished(() => made.close())
  return made
}

const chat = { path: '/v1/chat', body: { prompt: 'hi' }, schema, signal }

async function gather(events: AsyncIterable<unknown>) {
  const all: unknown[] = []
  for await (const event of events) all.push(event)
  return all
}

describe('a recorder', () => {
  test('a recorder passes on what is said both ways, and keeps it', async () => {
    const { recorder, upstream } = await record({ json: { text: 'hello' } })
    expect(await client(recorder.url).postJson(chat)).toEqual({ text: 'hello' })
    expect(upstream.requests[0]?.headers['authorization']).toBe(`Bearer ${apiKey}`)
    expect(recorder.exchanges()).toEqual([
      {
        request: { method: 'POST', path: '/v1/chat', body: { prompt: 'hi' } },
        reply: { headers: {}, json: { text: 'hello' } },
      },
    ])
  })

  test('a recorder keeps no secret, wherever it stands', async () => {
    const { recorder } = await record({
      status: 429,
      headers: { 'retry-after': '2', 'openai-organization': 'org-Canary', 'set-cookie': 'session=Canary' },
      json: { error: { message: `key ${apiKey} of org-Canary`, nested: [apiKey] } },
    })
    await expect(client(recorder.url).postJson({ ...chat, body: { prompt: apiKey } })).rejects.toThrow('429')
    const [kept] = recorder.exchanges()
    expect(kept?.reply).toMatchObject({ status: 429, headers: { 'retry-after': '2' } })
    expect(JSON.stringify(kept)).not.toMatch(/Canary|canary/)
  })
})

describe('a replay', () => {
  test('a replay says what was recorded, streams too', async () => {
    const events = [{ data: { text: 'one' } }, { event: 'more', data: { text: 'two' } }, { data: '[DONE]' }]
    const { recorder } = await record({ events })
    const post = { ...chat, endMark: '[DONE]' }
    const live = await gather(client(recorder.url).postForEvents(post))
    const replay = await openReplay(recorder.exchanges())
    onTestFinished(() => replay.close())
    expect(recorder.exchanges()[0]?.reply.events).toEqual(events)
    expect(await gather(client(replay.url).postForEvents(post))).toEqual(live)
  })

  test('a replay goes through exchanges of the same request in turn, and stays with the last', async () => {
    const request = { method: 'POST', path: '/v1/chat', body: { prompt: 'hi' } }
    const replay = await openReplay([
      { request, reply: { json: { text: 'first' } } },
      { request, reply: { json: { text: 'second' } } },
    ])
    onTestFinished(() => replay.close())
    const made = client(replay.url)
    const texts = [await made.postJson(chat), await made.postJson(chat), await made.postJson(chat)]
    expect(texts).toEqual([{ text: 'first' }, { text: 'second' }, { text: 'second' }])
  })

  test('a replay says what it knows where it was never asked so', async () => {
    const replay = await openReplay([{ request: { method: 'GET', path: '/v1/models' }, reply: { json: [] } }])
    onTestFinished(() => replay.close())
    const failure = { failure: 'give_up', message: expect.stringContaining('recorded are: GET /v1/models') }
    await expect(client(replay.url).postJson(chat)).rejects.toMatchObject(failure)
  })
})
