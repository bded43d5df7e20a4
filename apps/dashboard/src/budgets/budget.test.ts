import { describe, expect, test } from 'vitest'
import { type Budget, budgetName, describeBudget, describeForecast, forecast } from './budget.ts'

const monthly: Budget = {
  kind: 'user',
  id: 'usr_1',
  limit_usd: 50,
  period: 'month',
  spent_usd: 20.5,
  reserved_usd: 0,
  remaining_usd: 29.5,
  resets_at: '2026-12-01T00:00:00.000Z',
}
const at = (time: string) => Date.parse(`2026-11-${time}Z`)

/** The forecast of a budget in words. */
function words(budget: Budget, now: number): string | undefined {
  const found = forecast(budget, now)
  return found && describeForecast(found, budget.period)
}

describe('forecast', () => {
  test('forecast continues the spending of the period to its last day', () => {
    expect(words(monthly, at('16T00:00'))).toBe('At this rate: $41 by 30 Nov (linear)')
  })

  test('forecast says when the budget is used up before', () => {
    expect(words({ ...monthly, spent_usd: 37.5 }, at('16T00:00'))).toBe(
      'At this rate: $75 by 30 Nov, used up on 21 Nov (linear)',
    )
  })

  test('forecast gives the hour for a day, and starts weeks on Monday', () => {
    const daily: Budget = { ...monthly, period: 'day', resets_at: '2026-11-17T00:00:00.000Z' }
    expect(words({ ...daily, spent_usd: 30 }, at('16T12:00'))).toBe(
      'At this rate: $60 by 24:00 UTC, used up at 20:00 UTC (linear)',
    )
    const weekly: Budget = { ...monthly, period: 'week', spent_usd: 3.5, resets_at: '2026-11-23T00:00:00.000Z' }
    expect(words(weekly, at('17T00:00'))).toBe('At this rate: $25 by 22 Nov (linear)')
  })

  test('forecast counts from when the key or the user was created', () => {
    const id = `key_${BigInt(at('21T00:00')) << 80n}`
    expect(words({ ...monthly, id, spent_usd: 1 }, at('26T00:00'))).toBe('At this rate: $2.00 by 30 Nov (linear)')
  })

  test('forecast does not exist at the start of a period, without spending, for a total, and once the budget is used up', () => {
    expect(forecast(monthly, at('01T10:00'))).toBeUndefined()
    expect(forecast({ ...monthly, spent_usd: 0 }, at('16T00:00'))).toBeUndefined()
    expect(forecast({ ...monthly, spent_usd: 50 }, at('16T00:00'))).toBeUndefined()
    expect(forecast({ ...monthly, period: null, resets_at: null }, at('16T00:00'))).toBeUndefined()
  })
})

test('describeBudget names the amount and the period', () => {
  expect(describeBudget({ budget_usd: 20, budget_period: 'month' })).toBe('$20 per month')
  expect(describeBudget({ budget_usd: 0.5, budget_period: null })).toBe('$0.50 in total')
  expect(describeBudget({ budget_usd: null, budget_period: null })).toBeUndefined()
})

test('budgetName names the key, the user, or the project', () => {
  const names: Readonly<Record<string, string>> = { key_1: 'website' }
  const nameOf = (budget: Partial<Budget>) => budgetName({ ...monthly, ...budget }, (id) => names[id])
  expect(nameOf({ kind: 'user' })).toBe('All keys and sessions')
  expect(nameOf({ kind: 'project', id: 'prj_1' })).toBe('Project')
  expect(nameOf({ kind: 'key', id: 'key_1' })).toBe('website')
  expect(nameOf({ kind: 'key', id: 'key_123456789' })).toBe('…456789')
})
