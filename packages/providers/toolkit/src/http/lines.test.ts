import { replaying, testClock, type UpstreamAnswer } from '@fairlead/testing'
import { assert, array, asyncProperty, boolean, constantFrom, integer, jsonValue } from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { StreamPost } from '../index.ts'
import { schema, textUpstream } from '../testing/text-upstream.ts'
import { createJsonInbox } from './json-inbox.ts'

const { client, upstream } = textUpstream()
const { signal } = new AbortController()

const ndjson = { 'content-type': 'application/x-ndjson' }

/** The texts that are read from a reply with such a body, and the failure. */
async function read(
  body: string | UpstreamAnswer,
  { headers = ndjson, ...post }: Omit<Partial<StreamPost<{ text: string }>>, 'headers'> & { headers?: object } = {},
) {
  upstream().answer(typeof body === 'string' ? replaying({ headers: { ...headers }, text: body }) : body)
  const seen: string[] = []
  try {
    for await (const { text } of client().postForLines({ path: '/chat', body: {}, schema, signal, ...post }))
      seen.push(text)
    return { seen }
  } catch (error) {
    return { seen, error }
  }
}

describe('postForLines', () => {
  test.each([
    ['lines', '{"text":"one"}\n{"text":"two"}\n'],
    ['lines without a break at the end', '{"text":"one"}\r\n\r\n{"text":"two"}'],
    ['a list', '[{"text":"one"}\n,\r\n{"text":"two"}]'],
    ['a list on each line', '[{"text":"one"}]\n[{"text":"two"}]\n'],
    ['values over several lines', '{\n  "text": "one"\n}\n{\n  "text": "two"\n}\n'],
    ['values without a break between them', '{"text":"one"}{"text":"two"}'],
    ['server-sent events', 'data: {"text":"one"}\n\ndata: {"text":"two"}\n\n'],
  ])('postForLines yields the values of %s', async (_case, body) => {
    expect(await read(body)).toEqual({ seen: ['one', 'two'] })
  })

  test('postForLines asks for lines', async () => {
    await read('{"text":"one"}\n')
    expect(upstream().requests.at(-1)).toMatchObject({
      method: 'POST',
      headers: { accept: 'application/x-ndjson, application/json', 'content-type': 'application/json' },
    })
  })

  test.each([
    ['a line', '{"text":"one"}\n', '{"text":"two"}\n'],
    ['an element of a list', '[{"text":"one"}', ',{"text":"two"}]'],
  ])('postForLines yields %s before the next one has been sent', async (_case, first, rest) => {
    let finish = () => {}
    upstream().answer((response) => {
      response.writeHead(200, ndjson).write(first)
      finish = () => void response.end(rest)
    })
    const lines = client({ clock: testClock() }).postForLines({ path: '/chat', body: {}, schema, signal })
    expect(await lines.next()).toEqual({ done: false, value: { text: 'one' } })
    finish()
    expect(await lines.next()).toEqual({ done: false, value: { text: 'two' } })
    expect(await lines.next()).toEqual({ done: true, value: undefined })
  })

  test('postForLines waits for the next element of a list as long as the route allows', async () => {
    const clock = testClock()
    let finish = () => {}
    upstream().answer((response) => {
      response.writeHead(200, ndjson).write('[{"text":"one"},{"te')
      finish = () => void response.end('xt":"two"}]')
    })
    const lines = client({ clock }).postForLines({ path: '/chat', body: {}, schema, signal })
    await lines.next()
    const next = lines.next()
    clock.advance(60_000)
    finish()
    expect(await next).toEqual({ done: false, value: { text: 'two' } })
  })

  test('postForLines decodes characters whose bytes arrive in different chunks', async () => {
    const bytes = Buffer.from('{"text":"żółw 🐢"}\n')
    const answer: UpstreamAnswer = async (response) => {
      response.writeHead(200, ndjson)
      for (const byte of bytes)
        await new Promise<void>((resolve) => response.write(Uint8Array.of(byte), () => resolve()))
      response.end()
    }
    expect(await read(answer)).toEqual({ seen: ['żółw 🐢'] })
  })

  test.each([
    ['its end mark', { endMark: '[DONE]' }, '{"text":"one"}\n[DONE]\n{"text":"never"}\n'],
    ['its last event', { isLast: ({ text }: { text: string }) => text === 'one' }, '[{"text":"one"},{"text":"never"}]'],
  ])('postForLines ends at %s', async (_case, marks, body) => {
    expect(await read(body, marks)).toEqual({ seen: ['one'] })
  })

  test('postForLines yields the ping for an empty line that arrives alone', async () => {
    const answer: UpstreamAnswer = async (response) => {
      response.writeHead(200, ndjson)
      for (const piece of ['{"text":"one"}\n', '\n', '{"text":"two"}\n'])
        await new Promise<void>((resolve) => response.write(piece, () => setImmediate(resolve)))
      response.end()
    }
    expect(await read(answer, { ping: { text: 'ping' } })).toMatchObject({
      seen: expect.toSatisfy((seen: string[]) => ['one,ping,two', 'one,two'].includes(seen.join())),
    })
  })

  test.each([
    [
      'a line that is no JSON',
      '{"text":"one"}\nupstream overloaded\n',
      ndjson,
      'the reply is not JSON (19 characters)',
    ],
    ['half a line', '{"text":"one"}\n{"text":', ndjson, 'the reply ends within a value of JSON'],
    ['a line break within a text', '{"text":"one"}\n{"text":"tw\n{"text":"o"}\n', ndjson, 'the reply is not JSON (11'],
    ['a list that does not end', '[{"text":"one"},', ndjson, 'the reply ends within a value of JSON'],
    ['a line of another shape', '{"text":"one"}\n{"error":"overloaded"}\n', ndjson, 'the documented shape: text:'],
  ])('postForLines yields the lines before %s, and fails', async (_case, body, headers, message) => {
    expect(await read(body, { headers })).toMatchObject({
      seen: ['one'],
      error: { name: 'ProviderError', message: expect.stringContaining(message) },
    })
  })

  test.each([
    ['a page', 'text/html', '<html>Please sign in', 'the reply is text/html: <html>Please sign in'],
    ['plain text', 'text/plain', 'busy', 'the reply is text/plain: busy'],
    ['plain text that claims to be lines', 'application/x-ndjson', 'busy', 'the reply is not JSON (4 characters)'],
  ])('postForLines fails with retry if the reply is %s', async (_case, type, body, message) => {
    const { seen, error } = await read(body, { headers: { 'content-type': type } })
    expect({ seen, error }).toMatchObject({ seen: [], error: { failure: 'retry', message: `acme: ${message}` } })
  })

  test('postForLines reads an error line by explainError', async () => {
    upstream().answer(replaying({ headers: ndjson, text: '{"text":"one"}\n{"error":"full"}\n' }))
    const explainError = ({ body }: { body: unknown }) =>
      ({ failure: 'rate_limited', message: (body as { error: string }).error }) as const
    const lines = client({ explainError }).postForLines({ path: '/chat', body: {}, schema, signal })
    await lines.next()
    await expect(lines.next()).rejects.toMatchObject({ failure: 'rate_limited', message: 'acme: answered 200: full' })
  })

  test('postForLines abandons an endless line at the size limit', async () => {
    const answer: UpstreamAnswer = (response) => {
      response.writeHead(200, ndjson).write('{"text":"')
      const more = () => {
        while (!response.destroyed && response.write('a'.repeat(64 * 1024)));
      }
      response.on('drain', more)
      more()
    }
    expect(await read(answer)).toMatchObject({
      seen: [],
      error: { failure: 'give_up', message: expect.stringContaining('has more than 8388608 characters') },
    })
  })

  test('postForLines fails if the connection breaks', async () => {
    const answer: UpstreamAnswer = (response) => {
      response.writeHead(200, ndjson).write('{"text":"one"}\n', () => response.destroy())
    }
    expect(await read(answer)).toMatchObject({ seen: ['one'], error: { failure: 'retry', brokeOff: true } })
  })

  test('postForLines maps the values, and adds the facts of the reply to the start', async () => {
    upstream().answer(replaying({ headers: { ...ndjson, 'x-request-id': 'req_abc' }, text: '{"text":"one"}\n' }))
    const lines = client().postForLines({ path: '/chat', body: {}, schema, signal }, async function* (values) {
      for await (const { text } of values) yield { type: 'text', text }
    })
    const seen: unknown[] = []
    for await (const event of lines) seen.push(event)
    expect(seen).toEqual([
      { type: 'start', response: { requestId: 'req_abc' } },
      { type: 'text', text: 'one' },
    ])
  })
})

describe('values of JSON', () => {
  test('values of JSON are found however they are laid out and cut into pieces', async () => {
    const values = array(jsonValue(), { minLength: 1, maxLength: 5 })
    await assert(
      asyncProperty(
        values,
        boolean(),
        constantFrom(0, 2),
        integer({ min: 1, max: 7 }),
        async (all, isList, indent, size) => {
          // Lists would be flattened.
          const sent = all.map((value) => ({ value }))
          const texts = sent.map((value) => JSON.stringify(value, undefined, indent))
          const bytes = Buffer.from(isList ? `[${texts.join(',\n')}]` : texts.map((text) => `${text}\n`).join(''))
          const inbox = createJsonInbox(undefined, undefined, false)
          const found: unknown[] = []
          for (let at = 0; at < bytes.length; at += size) found.push(...inbox.receive(bytes.subarray(at, at + size)))
          found.push(...inbox.receive(undefined))
          expect(found.map((text) => JSON.parse(text as string) as unknown)).toEqual(
            texts.map((text) => JSON.parse(text) as unknown),
          )
          expect(inbox.isPartial).toBe(false)
        },
      ),
    )
  })

  test('values of JSON may be words and texts', async () => {
    upstream().answer(replaying({ headers: ndjson, text: '1\n"a, b"\n[null,true,"]"]\n-2.5e3' }))
    const seen: unknown[] = []
    for await (const value of client().postForLines({ path: '/', body: {}, schema: z.unknown(), signal }))
      seen.push(value)
    expect(seen).toEqual([1, 'a, b', null, true, ']', -2500])
  })
})
