import { expect, test } from 'vitest'
import { summarize } from './event-summary.ts'

test('the activity page summarizes an event in one line', () => {
  const shipment = { reference: 'ORDER-1001', status: 'in_transit' }
  expect(summarize({ type: 'shipment.updated', data: shipment })).toBe('ORDER-1001 · in transit')
  const call = { model: 'scribe', error: 'TIMEOUT', duration_ms: 1320 }
  expect(summarize({ type: 'generation.failed', data: call })).toBe('scribe · TIMEOUT · 1.32 s')
  expect(summarize({ type: 'quota.warning', data: { used: 800, limit: 1000 } })).toBe('800 of 1000 units used')
  expect(summarize({ type: 'budget.warning', data: { spent_usd: 4, limit_usd: 5 } })).toBe('$4.00 of $5.00 spent')
  expect(summarize({ type: 'webhook.test', data: { description: null, url: 'https://a.b' } })).toBe('https://a.b')
})

test('the activity page has no summary for unknown types and truncated records', () => {
  expect(summarize({ type: 'parcel.lost', data: { name: 'x' } })).toBe('')
  expect(summarize({ type: 'shipment.created', data: { id: 'shp_1', truncated: true } })).toBe('')
})
