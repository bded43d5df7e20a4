import { describe, expect, test } from 'vitest'
import { readServerSentEvents } from './server-sent-events.ts'

describe('readServerSentEvents', () => {
  test('readServerSentEvents reads events whose bytes arrive in pieces, and skips comments', async () => {
    const bytes = new TextEncoder().encode(
      ': open\n\nid: evt_1\nevent: message\ndata: {"name":"Zürich"}\n\nevent: done\ndata: 1\ndata: 2\n\n',
    )
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]))
        controller.close()
      },
    })
    const events = []
    for await (const event of readServerSentEvents(body)) events.push(event)
    expect(events).toEqual([
      { event: 'message', id: 'evt_1', data: '{"name":"Zürich"}' },
      { event: 'done', id: undefined, data: '1\n2' },
    ])
  })
})
