import { describe, expect, test } from 'vitest'
import { toGrammarSchema } from './grammar-schema.ts'

const any = {
  oneOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'object', additionalProperties: true },
    { type: 'array' },
  ],
}

describe('toGrammarSchema', () => {
  test.each([
    [{ type: 'object' }, { type: 'object', properties: {}, additionalProperties: true }],
    [{ type: ['integer', 'null'] }, { oneOf: [{ type: 'integer' }, { type: 'null' }] }],
    [{ const: 3 }, { enum: [3] }],
    [{ anyOf: [{ type: 'null' }, {}] }, { oneOf: [{ type: 'null' }, any] }],
    [
      { properties: { a: { const: 1 } }, anyOf: [{ properties: { b: { const: 2 } } }, { required: ['a'] }] },
      {
        oneOf: [
          { type: 'object', properties: { a: { enum: [1] }, b: { enum: [2] } } },
          { type: 'object', properties: { a: { enum: [1] } } },
        ],
      },
    ],
    [
      { type: 'string', minLength: 1, maxLength: 5 },
      { type: 'string', minLength: 1, maxLength: 5 },
    ],
    [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date' },
    ],
    [
      { properties: { a: { type: 'null' } }, required: ['b'], additionalProperties: false },
      { type: 'object', properties: { a: { type: 'null' }, b: any } },
    ],
    [
      { type: 'object', additionalProperties: { type: 'null' }, maxProperties: 2 },
      { type: 'object', properties: {}, additionalProperties: { type: 'null' }, maxProperties: 2 },
    ],
  ])('toGrammarSchema converts %j', (schema, converted) => {
    expect(toGrammarSchema(schema)).toEqual({ schema: converted, ignored: [] })
  })

  test('toGrammarSchema names definitions anew and keeps those that are used', () => {
    const schema = {
      $ref: '#/$defs/a b',
      $defs: { 'a b': { type: 'array', items: { $ref: '#/definitions/c' } }, unused: {} },
      definitions: { c: { type: 'null' } },
    }
    expect(toGrammarSchema(schema)).toEqual({
      schema: {
        $ref: '#/$defs/d1',
        $defs: { d1: { type: 'array', items: { $ref: '#/$defs/d0' } }, d0: { type: 'null' } },
      },
      ignored: [],
    })
  })

  test('toGrammarSchema leaves out an optional property that may never end', () => {
    const schema = { type: 'object', properties: { a: { type: 'null' }, next: { $ref: '#' } } }
    expect(toGrammarSchema(schema).schema).toEqual({ type: 'object', properties: { a: { type: 'null' } } })
  })

  test.each([
    [{ type: 'integer', minimum: 3 }, ['minimum']],
    [{ type: 'string', pattern: 'a', format: 'email' }, ['pattern', 'format']],
    [{ $ref: 'https://example.com' }, ['$ref']],
    [{ type: 'array', maxItems: 1e9 }, ['maxItems']],
    [{ type: 'string', minLength: 5, maxLength: 2 }, ['maxLength']],
    [{ enum: [{}, 1] }, ['enum']],
  ])('toGrammarSchema names the keywords of %j that are not enforced', (schema, ignored) => {
    expect(toGrammarSchema(schema).ignored).toEqual(ignored)
  })

  test('toGrammarSchema rejects a schema of more than 1,000 parts', () => {
    const properties = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`p${index}`, {}]))
    expect(() => toGrammarSchema({ properties })).toThrow('must have at most 1,000 parts')
  })

  test('toGrammarSchema rejects an enum of 10,000 values', () => {
    const values = Array.from({ length: 10_000 }, (_, index) => `a value of some length, number ${index}`)
    expect(() => toGrammarSchema({ enum: values })).toThrow('must have at most 1,000 parts')
  })

  test('toGrammarSchema rejects options that multiply', () => {
    const options = Array.from({ length: 10 }, () => ({}))
    const nested = [1, 2, 3, 4].reduce<object>((inner) => ({ anyOf: options.map(() => inner) }), {})
    expect(() => toGrammarSchema({ ...nested })).toThrow('must have at most 1,000 parts')
  })
})
