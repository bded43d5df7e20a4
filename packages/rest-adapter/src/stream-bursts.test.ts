import { describe, expect, test } from 'vitest'
import { burstProvider } from './testing/burst-provider.ts'
import { openStream } from './testing/open-stream.ts'
import { serve } from './testing/serve.ts'

async function served() {
  const { provider, bursts } = burstProvider()
  return { bursts, service: await serve({ providers: [provider] }) }
}

/** The chunks of a body with a transfer encoding, each of which was a write of the service. */
function chunksIn(received: string): readonly string[] {
  const body = received.slice(received.indexOf('\r\n\r\n') + 4)
  return body.split(/^[0-9a-f]+\r\n/m).filter((chunk) => chunk.trim() !== '')
}

describe('pieces of a stream that arrive together', () => {
  test('pieces of a stream that arrive together are sent in one write', async () => {
    const { bursts, service } = await served()
    const socket = openStream(service)
    bursts.arrive('first')
    await expect.poll(() => socket.received).toContain('first')
    bursts.arrive('one', 'two', 'three')
    await expect.poll(() => socket.received).toContain('three')
    const [first, second, ...others] = chunksIn(socket.received)
    expect(first).toContain('first')
    expect(second?.match(/"content":"\w+"/g)).toEqual(['"content":"one"', '"content":"two"', '"content":"three"'])
    expect(others).toEqual([])
  })

  test('pieces of a stream that arrive together wait for a client that reads slowly', async () => {
    const { bursts, service } = await served()
    const socket = openStream(service, '/generate', { max_tokens: 250_000 })
    socket.pause()
    const piece = 'x'.repeat(200_000)
    const pieces = Array.from({ length: 39 }, () => piece)
    bursts.arrive(...pieces)
    bursts.finish()
    await expect.poll(service.bufferedBytes).toBeGreaterThan(0)
    const { taken } = bursts
    expect(taken).toBeLessThan(pieces.length)
    expect(service.bufferedBytes()).toBeLessThan(2 * piece.length)
    socket.resume()
    await expect.poll(() => socket.received.endsWith('0\r\n\r\n')).toBe(true)
    expect(socket.received.split('event: chunk')).toHaveLength(pieces.length + 1)
  })

  test('pieces of a stream that arrive together are left unread when the client disconnects in between', async () => {
    const { bursts, service } = await served()
    const socket = openStream(service, '/generate', { max_tokens: 250_000 })
    socket.pause()
    bursts.arrive(...Array.from({ length: 39 }, () => 'x'.repeat(200_000)))
    await expect.poll(service.bufferedBytes).toBeGreaterThan(0)
    const { taken } = bursts
    socket.destroy()
    await expect.poll(() => service.accessLog).toMatchObject([{ aborted: true, status: 200 }])
    await expect.poll(() => bursts.isClosed).toBe(true)
    expect(bursts.taken).toBe(taken)
  })

  test('pieces of a stream that arrive together let other work run after every 64 of them', async () => {
    const { bursts, service } = await served()
    const socket = openStream(service, '/generate', { max_tokens: 250_000 })
    bursts.arrive('first')
    await expect.poll(() => socket.received).toContain('first')
    bursts.arrive(...Array.from({ length: 200 }, () => 'x'))
    let takenInOneTurn = 0
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        takenInOneTurn = bursts.taken
        resolve()
      })
    })
    expect(takenInOneTurn).toBeLessThan(130)
    bursts.finish()
    await expect.poll(() => socket.received).toContain('event: done')
  })
})
