import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readBody } from './read-body.ts'

/** A request that said this of a body of ten bytes. */
async function requestWith(body: string) {
  const server = createServer()
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n${body}`)
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  return { request, socket }
}

describe('the body of a request', () => {
  test('is read whole, up to a size', async () => {
    expect((await readBody((await requestWith('0123456789')).request, 10))?.toString()).toBe('0123456789')
    expect(await readBody((await requestWith('0123456789')).request, 9)).toBeUndefined()
  })

  test('that breaks off is an error, be it while it is read or before', async () => {
    const { request, socket } = await requestWith('0123')
    const reading = readBody(request, 10)
    socket.destroy()
    await expect(reading).rejects.toThrow('aborted')
    await expect(readBody(request, 10)).rejects.toBe(request.errored)
  })

  test('that somebody else has read is an error, and not waited for', async () => {
    const { request } = await requestWith('0123456789')
    await buffer(request)
    await expect(readBody(request, 10)).rejects.toThrow('read already')
  })
})
