import { edges, operations, scopes } from '@fairlead/testing/workspace'
import { describe, expect, test } from 'vitest'
import { buildSchema } from '../schema/build-schema.ts'
import { documentChecker } from './documents.ts'
import { defaultLimits } from './limits.ts'

const createChecker = () =>
  documentChecker({
    schema: buildSchema({ edges, operations: Object.values(operations), scopes }),
    limits: defaultLimits,
    introspection: true,
    suggestions: true,
  })

describe('a document', () => {
  test('a document is checked once', () => {
    const check = createChecker()
    expect(check('{ models { id } }')).toBe(check('{ models { id } }'))
  })

  test('a document leaves the cache when others take too much memory', () => {
    const check = createChecker()
    const first = check('{ models { id } }')
    const dense = '{'.concat('a '.repeat(990), '}')
    for (let n = 0; n < 90; n++) check(`#${n}\n${dense}`)
    expect(check('{ models { id } }')).not.toBe(first)
  })

  test('a document of more than 20,000 characters is not cached', () => {
    const check = createChecker()
    const long = `{ models { id } } #${'x'.repeat(20_000)}`
    expect(check(long)).not.toBe(check(long))
    expect(check(long)).toMatchObject({ tokens: 6 })
  })
})
