import { describe, expect, test } from 'vitest'
import { readAttributes, startReceiver } from './testing/otlp-receiver.ts'
import { runMain } from './testing/run-main.ts'

describe('service.instance.id', () => {
  test('service.instance.id of several processes differs, whatever OTEL_RESOURCE_ATTRIBUTES sets', async () => {
    const receiver = await startReceiver()
    const main = runMain({
      FAIRLEAD_WORKERS: '2',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_METRIC_EXPORT_INTERVAL: '100',
      OTEL_RESOURCE_ATTRIBUTES: 'service.instance.id=node-1,service.namespace=shop',
    })
    await main.url
    const instances = () => {
      const all = receiver.resources().map(({ resource }) => readAttributes(resource))
      return new Set(all.map((each) => `${each['service.namespace']} ${each['service.instance.id']}`))
    }
    await expect.poll(() => instances().size).toBe(2)
    for (const each of instances()) expect(each).toMatch(/^shop [0-9a-f]{8}-/)
  })
})
