import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { JsonScan } from '@fairlead/core/adapter'
import { readBody } from './request-body.ts'

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
  test('the body of a request is read whole, up to a size', async () => {
    expect((await readBody((await requestWith('0123456789')).request, 10))?.toString()).toBe('0123456789')
    expect(await readBody((await requestWith('0123456789')).request, 9)).toBeUndefined()
  })

  test('the body of a request that breaks off is an error, be it while it is read or before', async () => {
    const { request, socket } = await requestWith('0123')
    const reading = readBody(request, 10)
    socket.destroy()
    await expect(reading).rejects.toThrow('aborted')
    await expect(readBody(request, 10)).rejects.toBe(request.errored)
  })

  test.each([
    ['a parsed object', { a: [1] }, '{"a":[1]}'],
    ['a string', '{"a":1}', '{"a":1}'],
    ['bytes', Buffer.from('{"a":1}'), '{"a":1}'],
  ])('the body of a request that was read before is taken from `request.body`: %s', async (_case, parsed, expected) => {
    const { request } = await requestWith('0123456789')
    await buffer(request)
    Object.assign(request, { body: parsed })
    expect((await readBody(request, 9))?.toString()).toBe(expected)
    expect(await readBody(request, 6)).toBeUndefined()
  })

  test('the body of a request that was read before has the same limits of tokens and depth', async () => {
    const { request } = await requestWith('0123456789')
    await buffer(request)
    const deep = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown
    Object.assign(request, { body: deep(65) })
    expect(await readBody(request, 1_000, new JsonScan())).toBeUndefined()
    Object.assign(request, { body: deep(50_000) })
    await expect(readBody(request, 1_000)).rejects.toThrow('nested deeper')
  })

  test('the body of a request that was read before and left nowhere is an error with the fix, and not waited for', async () => {
    const { request } = await requestWith('0123456789')
    await buffer(request)
    await expect(readBody(request, 10)).rejects.toThrow('Mount the adapter before the body parser')
  })
})
