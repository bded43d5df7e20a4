import { expect, test } from 'vitest'
import { fieldIssue } from './api-error.ts'

test('fieldIssue finds the issue of a field and those of its entries', () => {
  const fields = new Map([
    ['name', 'is required'],
    ['models[1]', 'must not be blank'],
    ['metadata.team', 'is too long'],
  ])
  expect(fieldIssue(fields, 'name')).toBe('is required')
  expect(fieldIssue(fields, 'models')).toBe('entry 2 must not be blank')
  expect(fieldIssue(fields, 'metadata')).toBe('team is too long')
  expect(fieldIssue(fields, 'model')).toBeUndefined()
  expect(fieldIssue(undefined, 'name')).toBeUndefined()
})
