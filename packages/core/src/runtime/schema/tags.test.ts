import { describe, expect, test } from 'vitest'
import { parseTags, tagsIn } from './tags.ts'

describe('parseTags', () => {
  test.each([
    ['team=search', { team: 'search' }],
    [' team = search , env=prod', { team: 'search', env: 'prod' }],
    ['query=a=b', { query: 'a=b' }],
    ['team', undefined],
    ['team=search,', undefined],
    ['', undefined],
  ])('parseTags reads %j', (text, tags) => {
    expect(parseTags(text)).toEqual(tags)
  })
})

describe('tagsIn', () => {
  test('tagsIn keeps the texts of metadata that are short enough', () => {
    expect(tagsIn({ team: 'search', long: 'x'.repeat(129), count: 3, '': 'x' })).toEqual({ team: 'search' })
    expect(tagsIn({ count: 3 })).toBeUndefined()
  })

  test('tagsIn keeps at most 16', () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`tag ${n}`, 'x']))
    expect(Object.keys(tagsIn(metadata) ?? {})).toHaveLength(16)
  })
})
