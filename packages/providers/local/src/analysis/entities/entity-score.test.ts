import { expect, test } from 'vitest'
import { readGold } from '../../../evaluation/gold.ts'
import { scoreEntities } from '../../../evaluation/score.ts'

test('findEntities has an F1 of at least 0.93 on texts that its rules were not fitted to', () => {
  const { f1, there } = scoreEntities(readGold('report')).get('all')!
  expect(there).toBe(374)
  expect(f1).toBeGreaterThanOrEqual(0.93)
})
