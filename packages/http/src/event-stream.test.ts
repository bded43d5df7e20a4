import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { testClock } from '@fairlead/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { EventStream } from './node-handler.ts'
import { eventText } from './server-sent-events.ts'

const clock = testClock()

/** Streams to a reader, and tells what it got. */
async function readText(tell: (stream: EventStream, response: ServerResponse) => Promise<void>): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    const stream = new EventStream(response, clock)
    void tell(stream, response).finally(() => stream.end())
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const [reply] = await once(get({ port: (server.address() as AddressInfo).port, agent: false }), 'response')
  return text(reply)
}

describe('a stream of events', () => {
  test('a stream of events sends the first at once, and those that come together together', async () => {
    const writes: unknown[] = []
    const rest = await readText(async (stream, response) => {
      vi.spyOn(response, 'write').mockImplementation((piece: unknown) => writes.push(piece) > 0)
      await stream.send(eventText('1', 'chunk'))
      await stream.send(eventText('2', 'chunk'))
      await stream.send(eventText('3', 'chunk'))
      await new Promise(setImmediate)
      await stream.send(eventText('4', 'chunk'))
    })
    expect(writes).toEqual(['event: chunk\ndata: 1\n\n', 'event: chunk\ndata: 2\n\nevent: chunk\ndata: 3\n\n'])
    expect(rest).toBe('event: chunk\ndata: 4\n\n')
  })

  test('a stream of events sends its headers before the first event where that one is late', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      void new EventStream(response, clock)
    })
    onTestFinished(() => void server.close().closeAllConnections())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const asking = get({ port: (server.address() as AddressInfo).port, agent: false })
    const [reply] = await once(asking, 'response')
    expect(reply.headers['content-type']).toBe('text/event-stream')
    asking.on('error', () => {})
  })

  test('a stream of events returns nothing to await while the client keeps up', async () => {
    const waits: unknown[] = []
    await readText(async (stream) => {
      await stream.send(eventText('1', 'chunk'))
      waits.push(stream.send(eventText('2', 'chunk')), stream.send(eventText('3', 'chunk')))
    })
    expect(waits).toEqual([undefined, undefined])
  })

  test('a stream of events makes its sender wait for a slow reader, however much comes in one turn', async () => {
    let wait: unknown
    await readText(async (stream) => {
      await stream.send(eventText('1', 'chunk'))
      for (let sent = 0; wait === undefined && sent < 100; sent++)
        wait = stream.send(eventText('x'.repeat(100_000), 'chunk'))
      await wait
    })
    expect(wait).toBeInstanceOf(Promise)
  })

  test('a stream of events says something every fifteen seconds', async () => {
    const said = await readText(async (stream) => {
      await stream.send(eventText('1', 'chunk'))
      clock.advance(15_000)
      clock.advance(14_999)
    })
    expect(said).toBe('event: chunk\ndata: 1\n\n: ping\n\n')
  })

  test('a stream of events sends nothing to a reader who has left', async () => {
    const said = readText(async (stream, response) => {
      await stream.send(eventText('1', 'chunk'))
      response.destroy()
      await stream.send(eventText('2', 'chunk'))
    })
    await expect(said).rejects.toThrow('aborted')
  })
})
