import { expect, test } from 'vitest'
import { anyText, oneOf, readFilters } from './filters.ts'

test('readFilters keeps valid filters, and reads every other one as undefined', () => {
  const read = readFilters({ status: oneOf(['active', 'revoked']), search: anyText, cursor: anyText })
  expect(read({ status: 'active', search: 'web', page: '2' })).toStrictEqual({
    status: 'active',
    search: 'web',
    cursor: undefined,
  })
  expect(read({ status: 'lost', search: '', cursor: 3 })).toStrictEqual({
    status: undefined,
    search: undefined,
    cursor: undefined,
  })
})
