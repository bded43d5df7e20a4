import { replaying, testClock, type UpstreamAnswer } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { schema, textEvents, textUpstream } from '../testing/text-upstream.ts'

const { client, stream, upstream } = textUpstream()
const { signal } = new AbortController()

describe('a stream', () => {
  test('a stream yields each event in order, up to the end mark', async () => {
    const events = [...textEvents('one', 'two', 'three'), { data: '[DONE]' }, ...textEvents('never')]
    expect(await stream(replaying({ events }))).toEqual({ seen: ['one', 'two', 'three'] })
  })

  test('a stream yields nothing after its last event, even from the same chunk', async () => {
    upstream().answer(
      replaying({
        text: 'data: {"text":"one"}\n\ndata: {"text":"end"}\n\ndata: {"text":"never"}\n\n',
        headers: { 'content-type': 'text/event-stream' },
      }),
    )
    const isLast = ({ text }: { readonly text: string }) => text === 'end'
    const seen: string[] = []
    for await (const { text } of client().postForEvents({ path: '/chat', body: {}, schema, signal, isLast })) {
      seen.push(text)
    }
    expect(seen).toEqual(['one', 'end'])
  })

  test('a stream yields its ping for each comment', async () => {
    upstream().answer(
      replaying({
        text: ': processing\n\ndata: {"text":"one"}\n\n: processing\n\n',
        headers: { 'content-type': 'text/event-stream' },
      }),
    )
    const post = { path: '/chat', body: {}, schema, signal, ping: { text: 'alive' } }
    const seen: string[] = []
    for await (const { text } of client().postForEvents(post)) seen.push(text)
    expect(seen).toEqual(['alive', 'one', 'alive'])
  })

  test('a stream joins events that arrive in several chunks, also within a character', async () => {
    const bytes = Buffer.from(': ping\r\n\r\nevent: x\r\ndata: {"text":\r\ndata: "żółw 🐢"}\r\n\r\ndata: [DONE]')
    const answer: UpstreamAnswer = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      for (const byte of bytes)
        await new Promise<void>((resolve) => response.write(Uint8Array.of(byte), () => resolve()))
      response.end()
    }
    expect(await stream(answer)).toEqual({ seen: ['żółw 🐢'] })
  })

  test('a stream yields the events before a connection reset, and fails', async () => {
    const result = await stream((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"text": "one"}\n\n', () => response.destroy())
    })
    expect(result).toMatchObject({ seen: ['one'], error: { failure: 'retry' } })
  })

  test('a stream with an endless line is abandoned at the size limit', async () => {
    const { seen, error } = await stream((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: ')
      const more = () => {
        while (!response.destroyed && response.write('a'.repeat(64 * 1024)));
      }
      response.on('drain', more)
      more()
    })
    expect({ seen, error }).toMatchObject({ seen: [], error: { failure: 'give_up' } })
  })

  test.each<[string, Parameters<typeof replaying>[0]]>([
    ['JSON', { json: { text: 'whole' } }],
    ['a page', { headers: { 'content-type': 'text/html' }, text: '<html>' }],
    ['events that are no JSON', { events: [{ data: '{"text": "on' }] }],
    ['events of another shape', { events: [{ data: { error: 'overloaded' } }] }],
  ])('a stream fails if it is %s', async (_case, reply) => {
    expect(await stream(replaying(reply))).toMatchObject({ seen: [], error: { name: 'ProviderError' } })
  })

  test('a stream hangs up when its reader leaves', async () => {
    let hungUp: Promise<void> | undefined
    upstream().answer((response, request) => {
      hungUp = request.hungUp
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"text": "one"}\n\n')
    })
    // A clock that stands still: nothing but the leaving can end the connection.
    const events = client({ clock: testClock() }).postForEvents({ path: '/chat', body: {}, schema, signal })
    for await (const event of events) {
      expect(event).toEqual({ text: 'one' })
      break
    }
    await hungUp
  })

  test('a stream frees its connection for the next call when the reply has ended', async () => {
    const made = client({ clock: testClock() })
    let endReply = () => {}
    let socket: unknown
    upstream().answer((response) => {
      socket = response.socket
      endReply = () => void response.end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"text": "one"}\n\ndata: [DONE]\n\n')
    })
    const events = made.postForEvents({ path: '/chat', body: {}, schema, signal, endMark: '[DONE]' })
    for await (const event of events) expect(event).toEqual({ text: 'one' })
    endReply()
    let isSame = false
    upstream().answer((response, request) => {
      isSame = response.socket === socket
      return replaying({ json: { text: 'x' } })(response, request)
    })
    const askAgain = async () => {
      await made.getJson({ path: '/models', schema, signal })
      return isSame
    }
    await expect.poll(askAgain).toBe(true)
  })

  test('a stream applies backpressure for a slow reader', async () => {
    const textLength = 16 * 1024
    const event = `data: ${JSON.stringify({ text: 'a'.repeat(textLength) })}\n\n`
    const total = 2_000
    let sent = 0
    upstream().answer(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (; sent < total; sent++) {
        if (!response.write(event)) await new Promise((resolve) => response.once('drain', resolve))
      }
      response.end()
    })
    const events = client().postForEvents({ path: '/chat', body: {}, schema, signal })
    expect((await events.next()).value?.text).toHaveLength(textLength)
    // Nothing is read: the upstream has to come to a halt, however long it is watched.
    let before = -1
    const halts = () => {
      const halted = sent === before
      before = sent
      return halted
    }
    await expect.poll(halts, { interval: 200 }).toBe(true)
    // Most of it is in the buffers of the two kernels; 32 MB were offered.
    expect(sent * event.length).toBeLessThan(16 * 1024 * 1024)
    let read = 1
    for await (const { text } of events) read += text.length / textLength
    expect(read).toBe(total)
  })
})
