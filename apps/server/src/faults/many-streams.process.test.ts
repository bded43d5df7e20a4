import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { runMain } from '../testing/run-main.ts'
import { chunk, finishChunk, openClient, openStreamUpstream } from '../testing/stream-upstream.ts'

const slow = { timeout: 300_000 }
const within = { timeout: 120_000 }

/** Opens streams of one key in the service, with nothing configured but its provider. */
async function openStreams(count: number) {
  const upstream = await openStreamUpstream()
  const server = runMain({ FAIRLEAD_PROVIDERS: 'openai', OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: upstream.url })
  const url = await server.url
  const [key = ''] = /fl_\w{49}/.exec(server.firstLogin) ?? []
  const clients = Array.from({ length: count }, (_, n) => openClient(url, key, `prompt ${n}`))
  await expect.poll(() => upstream.open.size, within).toBe(count)
  const findStream = (n: number) => upstream.open.get(`prompt ${n}`)!
  /** Sends a piece to streams, and waits until each of their clients has it. */
  const pass = async (numbers: readonly number[], piece: string) => {
    for (const n of numbers) findStream(n).write(chunk(piece))
    await expect.poll(() => numbers.filter((n) => !clients[n]!.received.includes(piece)), within).toEqual([])
  }
  /** Ends streams, and waits until each of their clients has the whole answer. */
  const finish = async (numbers: readonly number[]) => {
    for (const n of numbers) findStream(n).end(finishChunk)
    await expect.poll(() => numbers.filter((n) => !clients[n]!.received.includes('event: done')), within).toEqual([])
  }
  return { upstream, clients, findStream, pass, finish }
}

/** More than the sockets between upstream and client buffer. */
const offeredBytes = 96 * 1_048_576
const largePiece = chunk('x'.repeat(65_536))

describe('2,000 streams of one key, with the default limits', () => {
  test(
    '2,000 streams of one key end well, and do not wait for slow clients, clients that disconnect, and upstreams that break off among them',
    slow,
    async () => {
      const { upstream, clients, findStream, pass, finish } = await openStreams(2_000)
      const all = [...clients.keys()]
      const [unread, left, broken] = [[0, 1], all.slice(2, 102), all.slice(102, 202)]
      const others = all.slice(202)
      await pass(all, 'alpha')

      const taken = unread.map((n) => {
        clients[n]!.pause()
        return sendWhileRead(findStream(n))
      })
      for (const n of left) clients[n]!.destroy()
      for (const n of broken) findStream(n).destroy()
      await pass(others, 'beta')
      await expect.poll(() => left.filter((n) => upstream.open.has(`prompt ${n}`)), within).toEqual([])
      await expect.poll(() => broken.filter((n) => !clients[n]!.received.includes('event: error')), within).toEqual([])
      await pass(others, 'gamma')
      await finish(others)
      expect(others.filter((n) => !clients[n]!.received.startsWith('HTTP/1.1 200 '))).toEqual([])
      // The service holds no more of what is not read.
      for (const { bytes } of taken) expect(bytes).toBeLessThan(offeredBytes)
    },
  )
})

/** Sends large pieces to a stream as fast as they are read, up to `offeredBytes`. */
function sendWhileRead(stream: ServerResponse) {
  const sent = { bytes: 0 }
  const send = () => {
    while (sent.bytes < offeredBytes && !stream.destroyed) {
      sent.bytes += largePiece.length
      if (!stream.write(largePiece)) return
    }
  }
  stream.on('drain', send)
  send()
  return sent
}
