import { createTestDatabase, findPostgres } from '@fairlead/storage/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findPoints, served } from './testing/otlp-receiver.ts'

const postgres = await findPostgres()

describe.skipIf(!postgres)('metrics over OTLP of a node on PostgreSQL', () => {
  test('metrics over OTLP of a node on PostgreSQL have its connections, and the deliveries that wait', async () => {
    const { url, drop } = await createTestDatabase(postgres!)
    onTestFinished(() => drop())
    const { receiver } = await served(undefined, {
      DATABASE_URL: url,
      FAIRLEAD_SECRET_KEY: 'k'.repeat(32),
      OTEL_METRIC_EXPORT_INTERVAL: '100',
    })
    const value = (name: string) =>
      Number(findPoints(receiver, name)[0]?.asInt ?? findPoints(receiver, name)[0]?.asDouble)
    await expect.poll(() => value('db.client.connection.max')).toBeGreaterThan(0)
    await expect.poll(() => findPoints(receiver, 'db.client.connection.count')).toHaveLength(2)
    await expect.poll(() => value('fairlead.webhook.deliveries.pending')).toBe(0)
  })
})
