import { ProviderError } from '@fairlead/core/provider'
import { testClock } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { CredentialPool } from './credential-pool.ts'

describe('CredentialPool', () => {
  test('CredentialPool forgets the oldest of a thousand suspended quotas, because clients may choose the ids of models', () => {
    const pool = new CredentialPool('acme', ['key'], testClock())
    const suspend = (quota: string) =>
      pool.failed(pool.take(quota), quota, new ProviderError('rate_limited', 'slow down', { retryAfterMs: 60_000 }))
    const isSuspended = (quota: string) => {
      try {
        pool.take(quota)
        return false
      } catch {
        return true
      }
    }
    for (let index = 0; index < 1_001; index++) suspend(`model-${index}`)
    expect([isSuspended('model-0'), isSuspended('model-1'), isSuspended('model-1000')]).toEqual([false, true, true])
  })
})
