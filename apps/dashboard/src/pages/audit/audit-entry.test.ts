import { describe, expect, test } from 'vitest'
import { changesIn, targetLabel, targetName, timesAround } from './audit-entry.ts'

describe('changesIn', () => {
  test('changesIn shows each field before and after a change, as people read it', () => {
    const before = { name: 'website', models: null, budget_usd: 20 }
    const after = { name: 'shop', models: ['gpt-*', 'fast'], budget_usd: 0.5 }
    expect(changesIn({ before, after })).toEqual([
      { field: 'name', before: 'website', after: 'shop' },
      { field: 'models', before: 'none', after: 'gpt-*, fast' },
      { field: 'budget_usd', before: '20', after: '0.5' },
    ])
  })

  test('changesIn has one side of a record that was created or removed, and of a field that was added', () => {
    expect(changesIn({ before: null, after: { role: 'admin' } })).toEqual([
      { field: 'role', before: undefined, after: 'admin' },
    ])
    expect(changesIn({ before: { tags: { team: 'search' } }, after: null })).toEqual([
      { field: 'tags', before: '{\n  "team": "search"\n}', after: undefined },
    ])
    expect(changesIn({ before: {}, after: { password: 'changed' } })).toEqual([
      { field: 'password', before: undefined, after: 'changed' },
    ])
    expect(changesIn({ before: null, after: null })).toEqual([])
  })
})

test('targetName is the name after the change, or before, or that of the user, or the end of the id', () => {
  const nameOf = (id: string | null) => `the name of ${id}`
  const key = { type: 'api_key', id: 'key_123456789' }
  const user = { type: 'user', id: 'usr_1' }
  const name = (entry: Parameters<typeof targetName>[0]) => targetName(entry, nameOf)
  expect(name({ target: key, before: { name: 'website' }, after: { name: 'shop' } })).toBe('shop')
  expect(name({ target: key, before: { name: 'website' }, after: null })).toBe('website')
  expect(name({ target: key, before: { scopes: [] }, after: { scopes: ['keys'] } })).toBe('…456789')
  expect(name({ target: user, before: { tier: 'free' }, after: { tier: 'pro' } })).toBe('the name of usr_1')
  expect(name({ target: { ...user, id: null }, before: null, after: null })).toBe('')
})

test('targetLabel writes types as words', () => {
  expect(targetLabel({ target: { type: 'api_key', id: null } })).toBe('API key')
})

test('timesAround is a short time around that of an id', () => {
  const id = `aud_${BigInt(Date.UTC(2026, 2, 15, 8)) << 80n}`
  expect(timesAround(id)).toEqual({
    created_after: '2026-03-15T07:59:59.000Z',
    created_before: '2026-03-15T08:00:01.000Z',
  })
  expect(timesAround('aud_1')).toBeUndefined()
})
