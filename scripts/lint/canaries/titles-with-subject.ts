// expects: fairlead(titles-with-subject)
// reason: Begin the title with its subject
// at: packages/core/src/runtime/titled.test.ts
import { expect, test } from 'vitest'

test('returns the sum', () => {
  expect(1 + 1).toBe(2)
})
// at: packages/core/src/runtime/titled-rows.test.ts
import { expect, test } from 'vitest'

test.each([1, 2])('is %d', (value) => {
  expect(value).toBeGreaterThan(0)
})
