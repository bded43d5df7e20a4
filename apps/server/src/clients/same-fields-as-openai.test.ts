import { eventsIn, type RecordedReply } from '@fairlead/testing'
import { streamResponse } from '@fairlead/provider-openai-compatible/testing'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { serveOpenai } from '../testing/ask-both.ts'
import {
  chatFields,
  completionChunks,
  type RequestField,
  responseFields,
  wholeCompletion,
  wholeResponse,
} from '../testing/openai-fields.ts'

type Body = Readonly<Record<string, unknown>>

const chatReply: RecordedReply = { json: wholeCompletion }
const chatStream: RecordedReply = { events: [...completionChunks().map((data) => ({ data })), { data: '[DONE]' }] }
const responseReply: RecordedReply = { json: wholeResponse }
const responseStream: RecordedReply = streamResponse(wholeResponse as never)

/** The server that replays OpenAI, and Fairlead in front of it. */
async function serveBoth() {
  const { upstream, openai, fairlead } = await serveOpenai(({ path, body }) => {
    const { stream } = body as { readonly stream?: boolean }
    if (path.endsWith('/responses')) return stream ? responseStream : responseReply
    return stream ? chatStream : chatReply
  })
  const ask = async ({ baseURL, apiKey }: typeof openai, path: string, body: Body) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` }
    const response = await fetch(baseURL + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, text: await response.text(), sent: upstream.requests.at(-1)?.body as Body }
  }
  return {
    openai,
    fairlead,
    direct: (path: string, body: Body) => ask(openai, path, body),
    through: (path: string, body: Body) => ask(fairlead, path, body),
  }
}

const apis = [
  ['/chat/completions', { model: 'gpt-4.1-mini', messages: [{ role: 'user', content: 'Hi' }] }, chatFields],
  ['/responses', { model: 'gpt-4.1-mini', input: [{ role: 'user', content: 'Hi' }], store: false }, responseFields],
] as const

describe.each(apis)('the request fields of %s', (path, body, table) => {
  const fields = Object.entries<RequestField>(table).map(([name, field]) => [name, field] as const)
  const same = fields.filter(([, { differs }]) => differs === undefined)
  const different = fields.filter(([, { differs }]) => differs !== undefined)

  test.each(same)('%s reaches OpenAI as the client wrote it', async (name, { value, with: others }) => {
    const { direct, through } = await serveBoth()
    const asked = { ...body, ...others, [name]: value }
    const { sent } = await direct(path, asked)
    const { status, sent: forwarded } = await through(path, asked)
    expect([status, forwarded]).toEqual([200, sent])
  })

  test.each(different)(
    'the field %s does not reach OpenAI, for a reason',
    async (name, { value, with: others, status = 200 }) => {
      const { through } = await serveBoth()
      const reply = await through(path, { ...body, ...others, [name]: value })
      expect(reply.status).toBe(status)
      expect(reply.sent?.[name]).not.toEqual(value)
    },
  )
})

describe('the answers of OpenAI', () => {
  test.each(apis)('the answers of OpenAI of %s come back with every field', async (path, body) => {
    const { direct, through } = await serveBoth()
    const [expected, found] = [await direct(path, body), await through(path, body)]
    expect(JSON.parse(found.text)).toEqual(JSON.parse(expected.text))
  })

  test('the answers of OpenAI come back with every field in a stream of chat completions', async () => {
    const { openai, fairlead } = await serveBoth()
    const body = { ...apis[0][1], stream: true, stream_options: { include_usage: true } } as const
    const ask = async (connection: typeof openai) => {
      const chunks = await new OpenAI({ ...connection, maxRetries: 0 }).chat.completions.create(body as never)
      return joined(chunks as unknown as AsyncIterable<Chunk>)
    }
    expect(await ask(fairlead)).toEqual(await ask(openai))
  })

  test('the answers of OpenAI come back with every event and field in a stream of responses', async () => {
    const { direct, through } = await serveBoth()
    const body = { ...apis[1][1], stream: true }
    const dataIn = ({ text }: { readonly text: string }) => eventsIn(text).map(({ data }) => data as Body)
    const [expected, found] = [dataIn(await direct('/responses', body)), dataIn(await through('/responses', body))]
    const withoutStart = (events: readonly Body[]) => events.filter(({ type }) => type !== 'response.in_progress')
    const unnumbered = (events: readonly Body[]) =>
      withoutStart(events).map(({ sequence_number: _number, ...event }) => event)
    expect(unnumbered(found)).toEqual(unnumbered(expected))
  })
})

interface Chunk extends Body {
  readonly choices: readonly { readonly delta: Body }[]
}

/** The fields of a stream over all its chunks: the last value of each field, texts joined, and lists put together. */
async function joined(chunks: AsyncIterable<Chunk>): Promise<unknown> {
  let whole: unknown
  for await (const chunk of chunks) whole = join(whole, chunk)
  return whole
}

/** Fields that chunks have in pieces. */
const pieces = new Set(['content', 'refusal', 'arguments', 'input'])

function join(first: unknown, next: unknown, name = ''): unknown {
  if (next === null || next === undefined) return first ?? next
  if (typeof next === 'string' && typeof first === 'string') return pieces.has(name) ? first + next : next
  if (Array.isArray(next)) return joinLists(Array.isArray(first) ? first : [], next)
  if (typeof next !== 'object') return next
  const before = (first ?? {}) as Body
  return {
    ...before,
    ...Object.fromEntries(Object.entries(next).map(([key, value]) => [key, join(before[key], value, key)])),
  }
}

/** Entries with an index continue each other. */
function joinLists(first: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const all = [...first]
  for (const entry of next) {
    const index = (entry as { readonly index?: number }).index
    const at = index === undefined ? -1 : all.findIndex((each) => (each as { readonly index?: number }).index === index)
    if (at < 0) all.push(entry)
    else all[at] = join(all[at], entry)
  }
  return all
}
