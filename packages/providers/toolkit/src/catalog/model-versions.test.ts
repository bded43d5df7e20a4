import { describe, expect, test } from 'vitest'
import { findModel } from '../index.ts'
import { familyId } from './catalog.ts'

const now = Date.parse('2026-11-22')

test.each([
  ['gpt-4o-mini-2024-07-18', 'gpt-4o-mini'],
  ['ft:gpt-4o-mini-2024-07-18:my-org:custom:id', 'gpt-4o-mini'],
  ['ft:gpt-4.1:org::id', 'gpt-4.1'],
  ['claude-haiku-4-5-20251001', 'claude-haiku-4-5'],
  ['claude-haiku-4-5@20251001', 'claude-haiku-4-5'],
  ['claude-opus-5-latest', 'claude-opus-5'],
  ['gemini-2.5-flash-001', 'gemini-2.5-flash'],
  ['grok-4-0709', 'grok-4'],
  ['gpt-5.4-mini', 'gpt-5.4-mini'],
  ['gpt-4-32k', 'gpt-4-32k'],
  ['latest', 'latest'],
  ['', ''],
])('the family of %j is %j', (id, family) => {
  expect(familyId(id)).toBe(family)
})

describe('findModel', () => {
  test('findModel gives a dated model the facts of its family, and its own id', () => {
    const family = findModel('anthropic', 'claude-haiku-4-5', now)!
    expect(findModel('anthropic', 'claude-haiku-4-5-20251001', now)).toEqual({
      ...family,
      id: 'claude-haiku-4-5-20251001',
      name: 'Claude Haiku 4.5 (20251001)',
    })
  })

  test('findModel gives a fine-tuned model no price, because it costs more than its family', () => {
    const tuned = findModel('openai', 'ft:gpt-4o-mini-2024-07-18:org::id', now)
    expect(tuned).toMatchObject({ name: 'GPT-4o mini (fine-tuned)', maxTokens: 16_384, tools: true })
    expect(tuned).not.toHaveProperty('pricing')
  })

  test('findModel gives a dated model the announced price of its family', () => {
    const priceOn = (day: string) => findModel('google', 'gemini-3.8-flash-001', Date.parse(day))?.pricing?.input
    expect([priceOn('2026-12-31'), priceOn('2027-01-01')]).toEqual([0.75, 1.5])
  })

  test.each(['gpt-9', 'ft:gpt-9:org::id', 'gpt-9-2027-01-01', 'constructor', ''])(
    'findModel finds nothing for %j',
    (id) => {
      expect(findModel('openai', id, now)).toBeUndefined()
    },
  )
})
