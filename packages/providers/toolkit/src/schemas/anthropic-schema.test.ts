import { expect, test } from 'vitest'
import { toOutputSchema } from './anthropic-schema.ts'

test('toOutputSchema keeps the keywords that the API supports', () => {
  const schema = {
    type: 'object',
    description: 'What a text says.',
    properties: {
      label: { enum: ['good', 'bad'] },
      when: { type: 'string', format: 'date-time' },
      names: { type: 'array', items: { $ref: '#/$defs/name' }, minItems: 1 },
    },
    required: ['label'],
    additionalProperties: false,
    $defs: { name: { type: 'string' } },
  }
  expect(toOutputSchema(schema)).toEqual(schema)
})

test('toOutputSchema describes the constraints that the API can’t check', () => {
  expect(toOutputSchema({ type: 'number', minimum: 0, maximum: 1, description: 'How sure.' })).toEqual({
    type: 'number',
    description: 'How sure. (minimum: 0, maximum: 1)',
  })
  expect(toOutputSchema({ type: 'array', items: { type: 'string', maxLength: 9 }, maxItems: 20 })).toEqual({
    type: 'array',
    items: { type: 'string', description: '(maxLength: 9)' },
    description: '(maxItems: 20)',
  })
  expect(toOutputSchema({ type: 'string', format: 'phone' })).toEqual({
    type: 'string',
    description: '(format: "phone")',
  })
})

test('toOutputSchema closes nested objects and rewrites oneOf', () => {
  expect(
    toOutputSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      oneOf: [{ type: 'object', properties: { a: { type: 'object', properties: {} } } }, { type: 'null' }],
    }),
  ).toEqual({
    anyOf: [
      {
        type: 'object',
        properties: { a: { type: 'object', properties: {}, additionalProperties: false } },
        additionalProperties: false,
      },
      { type: 'null' },
    ],
  })
})

test('toOutputSchema describes the values of an open object, and closes one that may be null', () => {
  expect(toOutputSchema({ type: ['object', 'null'], additionalProperties: { type: 'string' } })).toEqual({
    type: ['object', 'null'],
    description: '(additionalProperties: {"type":"string"})',
    additionalProperties: false,
  })
})

test.each([
  { properties: { a: true, b: null }, anyOf: [false, null] },
  { anyOf: 1, properties: [], items: [{ type: 'string' }], $defs: 'none' },
])('toOutputSchema passes on what it can’t read: %j', (schema) => {
  expect(toOutputSchema(schema)).toBeTypeOf('object')
})
