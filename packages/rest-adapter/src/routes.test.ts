import { operations } from '@fairlead/testing/workspace'
import { write } from '@fairlead/core'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { listRoutes } from './routes.ts'

describe('listRoutes', () => {
  test('listRoutes adds what REST does for Fairlead’s own operations', () => {
    expect(listRoutes([operations.login])).toEqual([
      { method: 'POST', path: '/auth/login', session: 'begins', operation: operations.login },
    ])
  })

  test('listRoutes adds nothing to an operation of the program that has the name of another', () => {
    const login = write({
      name: 'login',
      summary: 'Logs in.',
      access: { anonymous: true },
      metered: false,
      rest: { method: 'POST', path: '/doors' },
      input: z.strictObject({}),
      output: z.strictObject({}),
      apply: async () => ({}),
    })
    expect(listRoutes([login])).toEqual([{ method: 'POST', path: '/doors', operation: login }])
  })
})
