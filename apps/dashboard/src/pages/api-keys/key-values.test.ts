import { describe, expect, test } from 'vitest'
import { findChanges } from '../../find-changes.ts'
import type { ApiKey } from './api-key.ts'
import { describeLimits } from './key-limits.ts'
import { emptyKey, toExpiry, hasLimits, toKeyValues, toKeyBody } from './key-values.ts'

const limited: ApiKey = {
  id: 'key_1',
  name: 'search',
  prefix: 'fl_1234567',
  scopes: ['generate'],
  tier: 'pro',
  quota_limit: 500,
  models: ['gpt-*', 'fast'],
  requests_per_minute: 60,
  tokens_per_minute: 100_000,
  max_concurrency: 1,
  allowed_networks: ['10.0.0.0/8'],
  budget_usd: 20,
  budget_period: 'month',
  tags_from_metadata: false,
  metadata: { team: 'search', env: 'prod' },
  created_by: null,
  created_at: '2026-03-14T00:00:00.000Z',
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
}
const bodyOf = (key: ApiKey) => toKeyBody(toKeyValues(key, 10_000))

describe('the form of a key', () => {
  test('the form of a key sends what it was filled with', () => {
    expect(bodyOf(limited)).toEqual({
      name: 'search',
      scopes: ['generate'],
      models: ['gpt-*', 'fast'],
      requests_per_minute: 60,
      tokens_per_minute: 100_000,
      max_concurrency: 1,
      allowed_networks: ['10.0.0.0/8'],
      quota_limit: 500,
      budget_usd: 20,
      budget_period: 'month',
      metadata: { team: 'search', env: 'prod' },
      tags_from_metadata: false,
    })
  })

  test('the form of a key sends null for limits that are empty', () => {
    expect(toKeyBody({ ...emptyKey, name: 'laptop', models: ' , ', budgetUsd: ' ' })).toMatchObject({
      models: null,
      requests_per_minute: null,
      quota_limit: null,
      budget_usd: null,
      budget_period: null,
      metadata: null,
      tags_from_metadata: false,
    })
    expect(hasLimits(emptyKey)).toBe(false)
    expect(hasLimits({ ...emptyKey, networks: '10.0.0.0/8' })).toBe(true)
  })

  test('the form of a key leaves out the quota of the tier, and what was not changed', () => {
    const key = { ...limited, quota_limit: 10_000 }
    const values = toKeyValues(key, 10_000)
    expect(values.quotaLimit).toBe('')
    const changed = toKeyBody({ ...values, models: 'gpt-*', budgetUsd: '' })
    expect(findChanges(toKeyBody(values), changed)).toEqual({
      models: ['gpt-*'],
      budget_usd: null,
      budget_period: null,
    })
  })

  test('the form of a key changes the expiry only if another is chosen', () => {
    const now = Date.UTC(2026, 2, 14)
    expect(toExpiry('keep', now)).toEqual({})
    expect(toExpiry('never', now)).toEqual({ expires_at: null })
    expect(toExpiry('7', now)).toEqual({ expires_at: '2026-03-21T00:00:00.000Z' })
  })
})

test('describeLimits names each limit of a key in a few words', () => {
  expect(describeLimits(limited)).toEqual([
    'gpt-*, fast',
    '$20 per month',
    '60 requests/min',
    '100,000 tokens/min',
    '1 call at a time',
    '10.0.0.0/8',
    'team=search, env=prod',
  ])
  expect(describeLimits(toKeyBody(emptyKey))).toEqual([])
})
