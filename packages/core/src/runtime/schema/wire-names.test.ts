import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { toSnakeCase, wireNames } from './wire-names.ts'

const schema = z.strictObject({
  maxTokens: z.int().optional(),
  isLast: z.boolean().default(false),
  origin: z.strictObject({ postalCode: z.string() }).nullable(),
  parcels: z.array(z.strictObject({ weightKg: z.number() })),
  metadata: z.record(z.string(), z.string()).optional(),
})
const names = wireNames(schema)

describe('names on the wire', () => {
  test('names on the wire are snake_case, at every depth', () => {
    const core = { maxTokens: 1, isLast: true, origin: { postalCode: 'x' }, parcels: [{ weightKg: 1 }] }
    const wire = { max_tokens: 1, is_last: true, origin: { postal_code: 'x' }, parcels: [{ weight_kg: 1 }] }
    expect(names.write(core)).toEqual(wire)
    expect({ ...(names.read(wire) as object) }).toMatchObject({ maxTokens: 1, isLast: true })
    expect(JSON.parse(JSON.stringify(names.read(wire)))).toEqual(core)
  })

  test('names on the wire do not change free-form records, in either direction', () => {
    const metadata = { someKey: 'a', other_key: 'b', '~tilde': 'c' }
    expect(names.read({ metadata })).toMatchObject({ metadata })
    expect(names.write({ metadata })).toEqual({ metadata })
  })

  test('names on the wire omit undeclared fields and undefined values', () => {
    expect(names.write({ maxTokens: undefined, secret: 1, origin: null })).toEqual({ origin: null })
  })

  test.each([
    ['maxTokens', 'max_tokens'],
    ['origin.postalCode', 'origin.postal_code'],
    ['parcels[3].weightKg', 'parcels[3].weight_kg'],
    ['metadata.someKey', 'metadata.someKey'],
    ['~maxTokens', 'maxTokens'],
    ['origin.~postalCode', 'origin.postalCode'],
    ['parcels[0].~weightKg', 'parcels[0].weightKg'],
    ['unknown.path', 'unknown.path'],
  ])('names on the wire convert the field path %s to %s', (core, wire) => {
    expect(names.spell(core)).toBe(wire)
  })

  test('names on the wire are the only accepted names: core’s names are unknown fields', () => {
    const read = names.read({ maxTokens: 1, max_tokens: 2 }) as Record<string, unknown>
    expect(Object.entries(read)).toContainEqual(['maxTokens', 2])
    expect(Object.keys(read)).toContain('~maxTokens')
  })

  test('names on the wire cannot set a prototype', () => {
    const read = names.read(JSON.parse('{ "__proto__": { "max_tokens": 3 }, "constructor": 4 }')) as object
    expect(Object.entries(read)).toEqual([
      ['~__proto__', { max_tokens: 3 }],
      ['~constructor', 4],
    ])
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  })

  test.each([null, 7, 'x', [1], undefined])(
    'names on the wire pass values that are not objects to core unchanged: %j',
    (value) => {
      expect(names.read(value)).toBe(value)
      expect(names.write(value)).toBe(value)
    },
  )

  test('names on the wire parse numbers and booleans from text if the schema has them', () => {
    expect({ ...(names.readText({ max_tokens: '12', is_last: 'true' }) as object) }).toEqual({
      maxTokens: 12,
      isLast: true,
    })
    for (const value of ['', ' ', 'x', '1x', 'Infinity', '0x', 'NaN', ['1']]) {
      expect(names.readText({ max_tokens: value })).toMatchObject({ maxTokens: value })
    }
    expect(names.readText({ is_last: 'TRUE' })).toMatchObject({ isLast: 'TRUE' })
  })

  test.each([
    ['maxTokens', 'max_tokens'],
    ['id', 'id'],
    ['costUsd', 'cost_usd'],
  ])('names on the wire convert %s to %s', (core, wire) => {
    expect(toSnakeCase(core)).toBe(wire)
  })

  test('names on the wire keep one entry more of a list than its schema accepts', () => {
    const entry = z.strictObject({ weightKg: z.number() })
    const lists = wireNames(z.strictObject({ parcels: z.array(entry).min(1).max(3).describe('A few.').optional() }))
    const parcels = Array.from({ length: 50_000 }, () => ({ weight_kg: 1 }))
    expect(lists.read({ parcels })).toEqual({ parcels: Array.from({ length: 4 }, () => ({ weightKg: 1 })) })
  })

  test('names on the wire keep 100 unknown names of an input, enough to reject it', () => {
    const unknown = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`x${index}`, 1]))
    expect(Object.keys(wireNames(z.strictObject({})).read(unknown) as object)).toHaveLength(100)
  })
})
