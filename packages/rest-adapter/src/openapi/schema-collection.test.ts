import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { schemaCollection } from './schema-collection.ts'

const input = (schema: z.ZodType) => schemaCollection().describe(schema, 'input')
const output = (schema: z.ZodType) => schemaCollection().describe(schema, 'output')

describe('a schema of OpenAPI 3.0', () => {
  test('a schema of OpenAPI 3.0 lists null in an enum that is nullable', () => {
    expect(output(z.enum(['a', 'b']).nullable())).toEqual({ type: 'string', nullable: true, enum: ['a', 'b', null] })
    expect(output(z.literal('a').nullable())).toEqual({ type: 'string', nullable: true, enum: ['a', null] })
    expect(output(z.string().nullable())).toEqual({ type: 'string', nullable: true })
  })

  test('a schema of OpenAPI 3.0 uses wire names at any depth, and does not change free-form records', () => {
    const schema = z.object({
      createdAt: z.string(),
      lines: z.array(z.object({ postalCode: z.string() })),
      metadata: z.record(z.string(), z.string()),
    })
    expect(output(schema)).toEqual({
      type: 'object',
      properties: {
        created_at: { type: 'string' },
        lines: {
          type: 'array',
          items: { type: 'object', properties: { postal_code: { type: 'string' } }, required: ['postal_code'] },
        },
        metadata: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['created_at', 'lines', 'metadata'],
    })
  })

  test('a schema of OpenAPI 3.0 forbids unknown fields in requests only', () => {
    const schema = z.strictObject({ name: z.string() })
    expect(input(schema).additionalProperties).toBe(false)
    expect(output(schema).additionalProperties).toBeUndefined()
  })

  test('a schema of OpenAPI 3.0 requires a field with a default in responses only', () => {
    const schema = z.object({ limit: z.string().default('x') })
    expect(input(schema).required).toBeUndefined()
    expect(output(schema).required).toEqual(['limit'])
  })

  test('a schema of OpenAPI 3.0 has bounds only for integers with bounds', () => {
    expect(output(z.int())).toEqual({ type: 'integer', format: 'int64' })
    expect(output(z.int().min(1).max(5))).toEqual({ type: 'integer', format: 'int64', minimum: 1, maximum: 5 })
  })

  test('a schema of OpenAPI 3.0 writes an exclusive bound as a boolean', () => {
    expect(output(z.number().gt(0))).toEqual({ type: 'number', minimum: 0, exclusiveMinimum: true })
  })

  test('a schema of OpenAPI 3.0 describes a date and time by its format alone', () => {
    expect(input(z.iso.datetime({ offset: true }))).toEqual({ type: 'string', format: 'date-time' })
  })

  test('a schema of OpenAPI 3.0 is a component if it has an id, with separate ones for requests and responses', () => {
    const schemas = schemaCollection()
    const address = z.object({ region: z.string().nullable().default(null) }).meta({ id: 'TestAddress' })
    expect(schemas.describe(address, 'output')).toEqual({ $ref: '#/components/schemas/TestAddress' })
    expect(schemas.describe(z.object({ from: address.describe('The origin.') }), 'input').properties).toEqual({
      from: { description: 'The origin.', allOf: [{ $ref: '#/components/schemas/TestAddressInput' }] },
    })
    expect(Object.keys(schemas.all())).toEqual(['TestAddress', 'TestAddressInput'])
    expect(schemas.all()['TestAddress']).toMatchObject({ required: ['region'] })
    expect(schemas.all()['TestAddressInput']).not.toHaveProperty('required')
    expect(schemas.all()['TestAddress']).not.toHaveProperty('id')
  })

  test.each([
    [
      'a reference that may be null',
      z.object({ a: z.object({}).meta({ id: 'TestNullable' }).nullable() }),
      'may not be nullable',
    ],
    ['a date', z.date(), 'Date cannot be represented'],
    ['a transformation', z.string().transform(Number), 'Transforms cannot be represented'],
  ])('a schema of OpenAPI 3.0 is not supported for %s', (_case, schema, reason) => {
    expect(() => output(schema)).toThrow(reason)
  })
})
