import { operations } from '@fairlead/core'
import { describe, expect, test } from 'vitest'
import { buildSchema } from '../build-schema.ts'
import { knownDocuments } from './known-documents.ts'
import { defaultLimits } from './limits.ts'

const read = () =>
  knownDocuments({
    schema: buildSchema(Object.values(operations)),
    limits: defaultLimits,
    introspection: true,
    suggestions: true,
  })

describe('a document', () => {
  test('is read once', () => {
    const known = read()
    expect(known('{ models { id } }')).toBe(known('{ models { id } }'))
  })

  test('is forgotten where others take too much memory, however short their texts', () => {
    const known = read()
    const first = known('{ models { id } }')
    const dense = '{'.concat('a '.repeat(990), '}')
    for (let n = 0; n < 90; n++) known(`#${n}\n${dense}`)
    expect(known('{ models { id } }')).not.toBe(first)
  })

  test('of more than 20,000 characters is read anew each time, and takes no place of others', () => {
    const known = read()
    const long = `{ models { id } } #${'x'.repeat(20_000)}`
    expect(known(long)).not.toBe(known(long))
    expect(known(long)).toMatchObject({ tokens: 6 })
  })
})
