import { EventEmitter, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { testClock } from '@fairlead/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { endResponse } from './node-handler.ts'

/** More than the operating system keeps for a client that does not read. */
const long = Buffer.alloc(64 * 1024 * 1024, 'x')

/** A client that has asked, and reads nothing yet. */
async function askedFor(body: string | Uint8Array) {
  const clock = testClock()
  let response: ServerResponse | undefined
  const server = createServer((_request, answering) => {
    response = answering
    answering.writeHead(200, { 'Content-Length': Buffer.byteLength(body) })
    endResponse(answering, body, clock)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
    server.close()
    server.closeAllConnections()
  })
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  await expect.poll(() => response).toBeDefined()
  return { clock, socket, response: response as ServerResponse }
}

/** A response whose socket has not taken everything at once. */
function unsent() {
  return Object.assign(new EventEmitter(), {
    socket: { writableLength: 5 },
    destroyed: false,
    end: vi.fn<(body: string) => void>(),
    destroy: vi.fn<() => void>(),
  })
}

describe('a response that is ended', () => {
  test('a response that is ended disconnects a client that takes nothing for 30 seconds', async () => {
    const { clock, response } = await askedFor(long)
    await expect.poll(() => response.writableNeedDrain).toBe(true)
    clock.advance(29_999)
    expect(response.destroyed).toBe(false)
    clock.advance(1)
    expect(response.destroyed).toBe(true)
  })

  test('a response that is ended holds at most a few pieces of a long body back for a client that does not read', async () => {
    const { response } = await askedFor(long)
    await expect.poll(() => response.writableNeedDrain).toBe(true)
    expect(response.writableLength).toBeLessThan(256 * 1024)
  })

  test('a response that is ended waits as long as a client reads, however slowly', async () => {
    const { clock, socket, response } = await askedFor(long)
    await expect.poll(() => response.writableNeedDrain).toBe(true)
    for (let waits = 0; waits < 3; waits++) {
      clock.advance(20_000)
      const drained = once(response, 'drain')
      socket.resume()
      await drained
      socket.pause()
      await expect.poll(() => response.writableNeedDrain).toBe(true)
    }
    expect(response.destroyed).toBe(false)
    clock.advance(30_000)
    expect(response.destroyed).toBe(true)
  })

  test('a response that is ended disconnects a client that takes nothing of a short body for 30 seconds', () => {
    const clock = testClock()
    const response = unsent()
    endResponse(response as unknown as ServerResponse, 'hello', clock)
    expect(response.end).toHaveBeenCalledWith('hello')
    clock.advance(29_999)
    expect(response.destroy).not.toHaveBeenCalled()
    clock.advance(1)
    expect(response.destroy).toHaveBeenCalledOnce()
  })

  test('a response that is ended lets a client keep its connection that took a short body in time', async () => {
    const clock = testClock()
    const response = unsent()
    endResponse(response as unknown as ServerResponse, 'hello', clock)
    response.emit('finish')
    await new Promise(setImmediate)
    clock.advance(30_000)
    expect(response.destroy).not.toHaveBeenCalled()
  })

  test('a response that is ended is whole for a client that reads', async () => {
    const { socket } = await askedFor(long)
    socket.resume()
    expect((await buffer(socket)).length).toBeGreaterThan(long.length)
  })
})
