import { createIds } from '@fairlead/core/adapter'
import { expect, test } from 'vitest'
import { madeAt } from './made-at.ts'

test('madeAt reads the time of an id of the service', () => {
  const at = Date.UTC(2026, 2, 15, 8)
  expect(madeAt(createIds(() => at)('key'))).toBe(at)
  expect(madeAt('key_1')).toBeUndefined()
})
