import { expect, test } from 'vitest'
import { isOfProject } from './is-of-project.ts'

test.for([
  ['/api-keys', true],
  ['/usage/timeseries?group_by=day', true],
  ['/v1/chat/completions', true],
  ['/users-of-a-plugin', true],
  ['/api/v1/users/usr_1', false],
  ['/sessions', false],
  ['/projects?limit=100', false],
  ['/audit/export', true],
] as const)('%s is of a project: %s', ([path, expected]) => {
  expect(isOfProject(path)).toBe(expected)
})
