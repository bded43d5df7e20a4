import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { dataDirectory } from '../testing/data-directory.ts'
import type { NodeProcess } from '../testing/node-process.ts'

const echo = { model: 'mirror', prompt: 'hi' }
// Elsewhere the same is shown in one process, over a database that may not grow.
const noLimits = spawnSync('prlimit', ['--version']).status !== 0

describe('a full disk', () => {
  test.skipIf(noLimits)('a full disk refuses work, still answers reads, and is over when there is space', async () => {
    const data = await dataDirectory()
    const { token, keyId } = await data.addKey(1_000)
    const node = await data.startNode()
    const painted = await node.post('/generate/image', token, { model: 'motif', prompt: 'tiles', size: '256x256' })
    const { id } = JSON.parse(new TextDecoder().decode(painted.bytes)).data

    letFilesGrowTo('4096', node)
    const refused = await Promise.all([
      node.post('/generate', token, echo),
      node.post('/generate/image', token, { model: 'motif', prompt: 'tiles', size: '256x256' }),
    ])
    for (const { status, headers } of refused) expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    for (const path of ['/models', '/shipments', '/api-keys']) expect((await node.get(path, token)).status).toBe(200)
    expect((await node.get(`/images/${id}.png`)).status).toBe(200)
    expect((await node.get('/healthz')).status).toBe(200)
    // `/readyz` reuses the outcome of a write for a second, and the start has written.
    await expect.poll(() => readReadiness(node)).toEqual([503, 'degraded'])
    await expect.poll(() => node.output).toContain('store unavailable, queueing settlements until it is back')

    letFilesGrowTo('unlimited', node)
    expect((await node.post('/generate', token, echo)).status).toBe(200)
    await expect.poll(() => readReadiness(node)).toEqual([200, 'ready'])
    // An image, a text, and the two metered reads, which are charged once there is space.
    await expect.poll(() => data.inspect().used(keyId)).toBe(4)
    const kept = data.inspect()
    expect(kept).toMatchObject({ integrity: 'ok', images: [id] })
    expect(kept.chargedRequests).toHaveLength(4)
  })
})

async function readReadiness(node: NodeProcess): Promise<readonly [number, string]> {
  const { status, bytes } = await node.get('/readyz')
  return [status, JSON.parse(new TextDecoder().decode(bytes)).status]
}

/** Bounds every file of the node, in bytes: writing beyond fails as on a full disk (EFBIG). */
function letFilesGrowTo(bytes: string, { pid }: NodeProcess): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])
}
