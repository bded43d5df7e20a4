import { join } from 'node:path'
import { damageTable } from '@fairlead/storage/testing'
import { describe, expect, test } from 'vitest'
import { dataDirectory } from '../testing/data-directory.ts'

const shipment = {
  reference: 'order-1',
  origin: { name: 'Ada', street: '1 Quay', city: 'Hamburg', postal_code: '20457', country: 'DE' },
  destination: { name: 'Bo', street: '2 Pier', city: 'Oslo', postal_code: '0150', country: 'NO' },
  parcels: [{ weight_kg: 1.5 }],
}

describe('a database file with a damaged page', () => {
  test('a database file with a damaged page answers 503 instead of 500, and makes the node not ready', async () => {
    const data = await dataDirectory()
    const { token } = await data.addKey(1_000)
    damageTable(join(data.path, 'fairlead.db'), 'shipments')
    const node = await data.startNode()
    expect((await node.get('/readyz')).status).toBe(200)
    expect((await node.post('/shipments', token, shipment)).status).toBe(503)
    await expect.poll(async () => (await node.get('/readyz')).status).toBe(503)
    expect((await node.get('/healthz')).status).toBe(200)
    await expect.poll(() => node.output).toContain('database disk image is malformed')
  })
})
