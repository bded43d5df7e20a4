import { expect, test } from 'vitest'
import { sortRows } from './sort.ts'

test('sortRows sorts numbers by size and texts by letters, with rows without a value last in either direction', () => {
  const rows = [
    { id: 'b', cost: 9 },
    { id: 'C', cost: null },
    { id: 'a', cost: 10 },
  ]
  const ids = (by: 'id' | 'cost', descending: boolean) =>
    sortRows(rows, (row) => row[by], descending)
      .map(({ id }) => id)
      .join('')
  expect([ids('cost', false), ids('cost', true), ids('id', false), ids('id', true)]).toEqual([
    'baC',
    'abC',
    'abC',
    'Cba',
  ])
})
