import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dataDirectory } from '../testing/data-directory.ts'
import type { NodeResponse, NodeProcess } from '../testing/node-process.ts'
import { seeded } from '../testing/seeded.ts'

const requests = 1_000
const lanes = 32

/** The requests that a caller knows of in one round, which ends when the node is killed. */
interface Round {
  readonly sent: number
  readonly acknowledged: readonly NodeResponse[]
}

/** Each kills the node twice; `npm run fuzz` kills it 60 times. */
const seeds = process.env['FUZZ_RUNS'] ? Array.from({ length: 30 }, (_, seed) => seed) : [11]

describe('an acknowledged request', () => {
  test.each(seeds)(
    'an acknowledged request survives SIGKILL of the node during 1,000 requests, seed %i',
    async (seed) => {
      const random = seeded(seed)
      const data = await dataDirectory()
      const { token, keyId } = await data.addKey(100_000)
      let sent = 0
      const acknowledged: NodeResponse[] = []
      const kills = 2
      for (let kill = 0; kill < kills; kill++) {
        const node = await data.startNode()
        const round = await untilKilled(node, token, 20 + Math.floor(random() * (requests / kills - 100)))
        sent += round.sent
        acknowledged.push(...round.acknowledged)
      }

      const kept = data.inspect()
      expect(kept.integrity).toBe('ok')
      expect(acknowledged.every(({ status }) => status === 200)).toBe(true)
      const used = kept.used(keyId)
      expect(used).toBeGreaterThanOrEqual(acknowledged.length)
      expect(used).toBeLessThanOrEqual(sent)
      // Requests that are charged and have no record were under way when the node died.
      expect(used - kept.chargedRequests.length).toBeLessThanOrEqual(kills * lanes)
      const charged = new Set<string | null>(kept.chargedRequests)
      expect(charged.size).toBe(kept.chargedRequests.length)
      expect(acknowledged.filter(({ headers }) => !charged.has(headers.get('x-request-id')))).toEqual([])

      const images = acknowledged.map(imageId).filter((id) => id !== undefined)
      expect(images.length).toBeGreaterThan(0)
      const rows = new Set(kept.images)
      const files = new Set(readdirSync(join(data.path, 'images')))
      expect(images.filter((id) => !rows.has(id) || !files.has(id))).toEqual([])

      const again = await data.startNode()
      const image = await again.get(`/images/${images[0]}.png`)
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
      // The counters go on from where they were.
      const next = await again.get('/models', token)
      expect(next.headers.get('x-ratelimit-remaining')).toBe(String(100_000 - used - 1))
    },
  )
})

/** Sends requests in lanes, and kills the node as soon as so many were answered. */
async function untilKilled(node: NodeProcess, token: string, answers: number): Promise<Round> {
  const paint = (n: number) =>
    node.post('/generate/image', token, { model: 'motif', prompt: `tiles ${n}`, size: '256x256' })
  const write = (n: number) => node.post('/generate', token, { model: 'mirror', prompt: `hi ${n}` })
  // The first image waits for the painters to start; the others then come in the midst of the texts.
  const acknowledged: NodeResponse[] = [await paint(0)]
  let sent = 1
  let dying: Promise<void> | undefined
  async function lane(): Promise<void> {
    while (sent < requests && dying === undefined) {
      const n = sent++
      const answer = await (n % 25 === 0 ? paint(n) : write(n)).catch(() => undefined)
      if (answer) acknowledged.push(answer)
      if (acknowledged.length >= answers) dying ??= node.kill()
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  await (dying ?? node.kill())
  return { sent, acknowledged }
}

function imageId({ bytes }: NodeResponse): string | undefined {
  const { data } = JSON.parse(new TextDecoder().decode(bytes))
  return 'url' in data ? data.id : undefined
}
