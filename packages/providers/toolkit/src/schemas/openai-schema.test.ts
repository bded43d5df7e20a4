import { describe, expect, test } from 'vitest'
import { outsideStrict } from './openai-schema.ts'

const object = (properties: object, about: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...about,
})

describe('outsideStrict', () => {
  test.each<[string, object]>([
    [
      'an object that requires all of its properties',
      object({ a: { type: 'string', pattern: '^a', format: 'email' } }),
    ],
    ['alternatives inside', object({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] } })],
    ['references', { ...object({ a: { $ref: '#/$defs/b' } }), $defs: { b: { type: 'integer', minimum: 0 } } }],
    ['a property that is named like a keyword', object({ oneOf: { type: 'string' }, not: { type: 'null' } })],
  ])('outsideStrict takes %s', (_case, schema) => {
    expect(outsideStrict({ ...schema })).toBeUndefined()
  })

  // The keywords come from OpenAI's page "Structured outputs" (supported schemas), and from its errors.
  test.each<[string, object]>([
    ['anyOf of the root', object({}, { anyOf: [object({})] })],
    ['a root that is not an object', { type: 'array', items: { type: 'string' } }],
    ['oneOf of properties.a', object({ a: { type: 'string', oneOf: [{ const: 'x' }] } })],
    ['allOf of the root', object({}, { allOf: [object({})] })],
    ['not of properties.a', object({ a: { type: 'string', not: { const: 'x' } } })],
    ['patternProperties of the root', object({}, { patternProperties: { '^a': { type: 'string' } } })],
    ['a missing type of properties.a', object({ a: {} })],
    ['a missing type of properties.a.items', object({ a: { type: 'array', items: {} } })],
    ['true as properties.a', object({ a: true })],
    ['minLength of properties.a', object({ a: { type: 'string', minLength: 1 } })],
    ['format of properties.a', object({ a: { type: 'string', format: 'uri-template' } })],
    ['default of properties.a', object({ a: { type: 'string', default: 'x' } })],
    ['additionalProperties of properties.a', object({ a: { type: 'object', properties: {} } })],
    ['an optional property properties.a', object({ a: { type: 'string' } }, { required: [] })],
    ['additionalProperties of properties.a.anyOf.0', object({ a: { anyOf: [{ type: 'object' }] } })],
    ['$ref with other keywords of properties.a', object({ a: { $ref: '#', description: 'Again.' } })],
    ['minLength of $defs.b', object({}, { $defs: { b: { type: 'string', minLength: 1 } } })],
  ])('outsideStrict names %s', (found, schema) => {
    expect(outsideStrict({ ...schema })).toBe(found)
  })
})
