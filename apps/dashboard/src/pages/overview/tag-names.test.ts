import { expect, test } from 'vitest'
import { tagNames } from './tag-names.ts'

test('tagNames lists the names of tags, the most used first', () => {
  const requests = [{ tags: { env: 'prod' } }, { tags: { team: 'shop', env: 'test' } }, { tags: null }, {}]
  expect(tagNames(requests)).toEqual(['env', 'team'])
})
