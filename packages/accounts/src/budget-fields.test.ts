import { describe, expect, test } from 'vitest'
import { toBudgets } from './budget-fields.ts'

describe('toBudgets', () => {
  test('toBudgets has those with a limit, also a limit of 0, in the order of the kinds', () => {
    expect(toBudgets(['key', 'k', { budgetUsd: 0 }], ['user', 'u', { budgetUsd: 5, budgetPeriod: 'day' }])).toEqual([
      { kind: 'key', id: 'k', limitUsd: 0, period: null },
      { kind: 'user', id: 'u', limitUsd: 5, period: 'day' },
    ])
    expect(toBudgets(['key', 'k', undefined], ['user', 'u', { budgetUsd: null }])).toBeUndefined()
  })
})
