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
    const dense = '{'.concat('a '.repeat(1_990), '}')
    for (let n = 0; n < 60; n++) known(`#${n}\n${dense}`)
    expect(known('{ models { id } }')).not.toBe(first)
  })

  test('is forgotten where the errors of others repeat long names', () => {
    const known = read()
    const first = known('{ models { id } }')
    const name = 'x'.repeat(200_000)
    const queries = Array.from({ length: 20 }, (_, n) => `query q${n} { ...f }`).join(' ')
    for (let n = 0; n < 10; n++) known(`${queries} fragment f on Query { model(id: $${name}${n}) { id } }`)
    expect(known('{ models { id } }')).not.toBe(first)
  })
})
