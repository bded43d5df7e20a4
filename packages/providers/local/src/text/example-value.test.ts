import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { exampleValue } from './example-value.ts'

describe('exampleValue', () => {
  test.each([
    [{}],
    [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'] }],
    [{ type: 'object', additionalProperties: { type: 'integer' }, minProperties: 2 }],
    [{ type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true }],
    [{ type: 'array', prefixItems: [{ const: 1 }, { type: 'boolean' }], items: false }],
    [{ type: 'array', items: { type: 'string' }, maxItems: 0 }],
    [{ enum: [3, 'x'] }],
    [{ type: ['null', 'integer'], exclusiveMinimum: 4, maximum: 5 }],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 }],
    [{ type: 'number', maximum: -3 }],
    [{ type: 'integer', minimum: 5, multipleOf: 4 }],
    [{ type: 'integer', minimum: -9, maximum: -2, multipleOf: 4 }],
    [{ type: 'string', minLength: 20, maxLength: 21 }],
    [{ type: 'string', maxLength: 2 }],
    [{ anyOf: [{ type: 'null' }, { type: 'string' }] }],
    [
      {
        allOf: [
          { properties: { a: { const: 1 } }, required: ['a'] },
          { properties: { b: {} }, required: ['b'] },
        ],
      },
    ],
    [{ $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'boolean' } } }],
    [JSON.parse('{"properties":{"__proto__":{"type":"string"}},"required":["toString"]}')],
  ])('exampleValue satisfies %j', (schema) => {
    const { value, unmet } = exampleValue(schema)
    expect(new Ajv2020({ strict: false }).validate(schema, value)).toBe(true)
    expect(unmet).toEqual([])
  })

  test('exampleValue takes a value that is found for a property only if the schema allows it', () => {
    const property = { a: { type: 'string' } }
    const found = ['Ada', '', 36, 0.5, -1, ['x', 'y'], [1], [], { a: 1 }, undefined]
    const properties = [
      { type: 'string', minLength: 3, maxLength: 5 },
      { type: 'string', pattern: '^b+$' },
      { type: 'integer', minimum: 1, maximum: 40 },
      { type: 'integer', multipleOf: 5 },
      { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 36 },
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 1 },
      { type: 'array', items: { type: 'string', enum: ['x', 'y'] } },
      { enum: ['Ada', 36] },
      { const: 7 },
      { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      { type: 'object', properties: property },
    ]
    for (const value of found)
      for (const schema of properties.map((each) => ({ type: 'object', properties: { a: each }, required: ['a'] }))) {
        const example = exampleValue(schema, () => value)
        const isValid = new Ajv2020({ strict: false }).validate(schema, example.value)
        expect([schema, example.value, isValid || example.unmet.length > 0]).toEqual([schema, example.value, true])
      }
    expect(exampleValue({ type: 'object', properties: property }, () => 'Ada').value).toEqual({ a: 'Ada' })
  })

  test('exampleValue ends for a schema that refers to itself', () => {
    const schema = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: {
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
            next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
          },
          required: ['children', 'next'],
        },
      },
    }
    const { value, unmet } = exampleValue(schema)
    expect(new Ajv2020({ strict: false }).validate(schema, value)).toBe(true)
    expect(unmet).toEqual([])
  })

  test.each([
    [{ type: 'string', pattern: '^a$' }, ['pattern']],
    [{ not: {} }, ['not']],
    [{ $ref: '#/missing' }, ['$ref']],
    [{ $ref: 'https://example.com/schema' }, ['$ref']],
    [{ $ref: '#' }, ['$ref']],
    [{ type: 'array', minItems: 1e9, items: { type: 'array', minItems: 1e9 } }, ['size']],
    [{ type: 'string', minLength: 1e9 }, ['minLength']],
  ])('exampleValue names the keywords of %j that it may not satisfy', (schema, unmet) => {
    expect(exampleValue(schema).unmet).toEqual(unmet)
  })

  test('exampleValue takes under 50 ms of computing for a schema that multiplies itself', () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `p${index}`)
    const wide = { properties: Object.fromEntries(names.map((name) => [name, { $ref: '#' }])), required: names }
    const long = { type: 'array', minItems: 20_000, items: { const: ['x'.repeat(10_000)] } }
    const repeated = { allOf: Array.from({ length: 1_000 }, () => ({ $ref: '#' })), ...wide }
    for (const schema of [wide, repeated, long]) {
      // The least of several, because another process can slow one down.
      const times = Array.from({ length: 6 }, () => {
        const started = process.threadCpuUsage()
        expect(exampleValue(schema).unmet).toContain('size')
        return process.threadCpuUsage(started).user
      })
      expect(Math.min(...times)).toBeLessThan(50_000)
    }
  })
})
