import cluster from 'node:cluster'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

/** The id of a process that starts now. */
async function idOfProcess() {
  vi.resetModules()
  const { otelResource } = await import('./otel-resource.ts')
  return otelResource({ version: '1.0.0' }).attributes['service.instance.id']
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

describe('service.instance.id', () => {
  test('service.instance.id of each process is another random one', async () => {
    const ids = [await idOfProcess(), await idOfProcess()]
    expect(ids).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid)])
    expect(ids[0]).not.toBe(ids[1])
  })

  test('service.instance.id is that of OTEL_RESOURCE_ATTRIBUTES, except in a worker', async () => {
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'service.instance.id=node-1')
    onTestFinished(() => {
      vi.unstubAllEnvs()
      Object.assign(cluster, { isWorker: false })
    })
    expect(await idOfProcess()).toBe('node-1')
    Object.assign(cluster, { isWorker: true })
    expect(await idOfProcess()).toMatch(uuid)
  })

  test('service.instance.id is the same in all signals of a process', async () => {
    const { otelResource } = await import('./otel-resource.ts')
    const [metrics, logs] = [otelResource({ version: '1.0.0' }), otelResource({ version: '1.0.0' })]
    expect(metrics.attributes).toEqual(logs.attributes)
  })
})
