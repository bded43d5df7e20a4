import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { operations } from '@fairlead/testing/workspace'
import { FairleadError } from '../errors.ts'
import { acceptedInput } from '../operation.ts'
import { anyCharacter } from '../../testing/any-character.ts'
import { findElement, maxEntries, findMember, findShape, unwrapped, validate } from './validate.ts'

const schema = z.strictObject({
  name: z.string().min(1).max(5),
  maxTokens: z.int().min(1).max(10).optional(),
  place: z.strictObject({ postalCode: z.string(), country: z.string().length(2) }).optional(),
  parcels: z
    .array(z.strictObject({ weightKg: z.number().gt(0).lt(1_000) }))
    .min(1)
    .optional(),
  tags: z.record(z.string().regex(/^[a-z]+$/), z.string()).optional(),
  kind: z.enum(['one', 'two']).optional(),
  only: z.literal('this').optional(),
  email: z.email().optional(),
  at: z.iso.datetime().optional(),
  step: z.number().multipleOf(5).optional(),
  either: z.union([z.string(), z.number()]).optional(),
})

/** The issues of an input. */
function issuesFor(input: unknown, against: z.ZodObject = schema) {
  try {
    validate(against, input)
    return []
  } catch (error) {
    if (error instanceof FairleadError && error.code === 'INVALID_REQUEST') return error.issues
    throw error
  }
}

describe('validate', () => {
  test.each([
    [undefined, null, 'is required'],
    [null, null, 'must be an object'],
    [[], null, 'must be an object'],
    ['x', null, 'must be an object'],
    [{}, 'name', 'is required'],
    [{ name: '' }, 'name', 'must have at least 1 character'],
    [{ name: 'abcdef' }, 'name', 'must have at most 5 characters'],
    [{ name: 1 }, 'name', 'must be a string'],
    [{ name: 'a', maxTokens: 0 }, 'maxTokens', 'must be at least 1'],
    [{ name: 'a', maxTokens: 11 }, 'maxTokens', 'must be at most 10'],
    [{ name: 'a', maxTokens: 1.5 }, 'maxTokens', 'must be an integer'],
    [{ name: 'a', maxTokens: Infinity }, 'maxTokens', 'must be a number'],
    [{ name: 'a', place: { country: 'DE' } }, 'place.postalCode', 'is required'],
    [{ name: 'a', place: { postalCode: '1', country: 'DEU' } }, 'place.country', 'must have at most 2 characters'],
    [{ name: 'a', place: 'x' }, 'place', 'must be an object'],
    [{ name: 'a', parcels: [] }, 'parcels', 'must have at least 1 entry'],
    [{ name: 'a', parcels: [{ weightKg: 1 }, { weightKg: 0 }] }, 'parcels[1].weightKg', 'must be greater than 0'],
    [{ name: 'a', parcels: [{ weightKg: 1_000 }] }, 'parcels[0].weightKg', 'must be less than 1000'],
    [{ name: 'a', tags: { A: 'x' } }, 'tags.A', 'has a name that is not allowed'],
    [{ name: 'a', tags: { a: 1 } }, 'tags.a', 'must be a string'],
    [{ name: 'a', kind: 'three' }, 'kind', 'must be one of "one", "two"'],
    [{ name: 'a', only: 'that' }, 'only', 'must be "this"'],
    [{ name: 'a', email: 'x' }, 'email', 'must be an email address'],
    [{ name: 'a', at: 'x' }, 'at', 'must be a date and time such as 2026-03-14T09:26:53Z'],
    [{ name: 'a', step: 3 }, 'step', 'must be a multiple of 5'],
    [{ name: 'a', either: true }, 'either', 'must be a string or a number'],
  ])('validate reports for %j: %s %s', (input, field, issue) => {
    expect(issuesFor(input)).toEqual([{ field, issue }])
  })

  test.each([
    [{ name: 'a', max_tokens: 1 }, 'max_tokens', 'maxTokens'],
    [{ name: 'a', Maxtokens: 1 }, 'Maxtokens', 'maxTokens'],
    [{ name: 'a', place: { postalCode: '1', country: 'DE', contry: 'x' } }, 'place.contry', 'place.country'],
    [{ name: 'a', parcels: [{ weightKg: 1, weight: 1 }] }, 'parcels[0].weight', 'parcels[0].weightKg'],
  ])('validate suggests for %j instead of %s: %s', (input, field, suggestion) => {
    expect(issuesFor(input)).toEqual([{ field, issue: 'is not a known field', suggestion }])
  })

  test.each(['constructor', 'toString', 'hasOwnProperty', 'x'.repeat(100), '', 'shape'])(
    'validate suggests nothing for %s',
    (field) => {
      expect(issuesFor({ name: 'a', [field]: 1 })).toEqual([{ field, issue: 'is not a known field' }])
    },
  )

  test('validate reports all issues up to 20', () => {
    expect(issuesFor({ kind: 'x', maxTokens: 0, other: 1 }).map(({ field }) => field)).toEqual([
      'name',
      'maxTokens',
      'kind',
      'other',
    ])
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field${index}`, 1]))
    expect(issuesFor(many)).toHaveLength(20)
  })

  test('validate truncates an unknown name to 120 characters', () => {
    const name = 'x'.repeat(1_000_000)
    const cut = `${'x'.repeat(119)}…`
    expect(issuesFor({ name: 'a', [name]: 1 })).toMatchObject([{ field: cut }])
    expect(issuesFor({ name: 'a', tags: { [name]: 1 } })).toMatchObject([{ field: `tags.${cut}` }])
    expect(issuesFor({ name: 'a', tags: { [name]: '\0' } })).toMatchObject([{ field: `tags.${cut}` }])
  })

  test('validate rejects a field called __proto__, in free-form records too', () => {
    const issue = 'must not have a field called __proto__'
    expect(issuesFor(JSON.parse('{ "name": "a", "__proto__": {} }'))).toEqual([{ field: null, issue }])
    expect(issuesFor(JSON.parse('{ "name": "a", "tags": { "__proto__": "x" } }'))).toEqual([{ field: 'tags', issue }])
  })

  test('validate returns the parsed input', () => {
    expect(validate(schema, { name: 'a', kind: 'one' })).toEqual({ name: 'a', kind: 'one' })
  })
})

describe('an input with more entries than its schema accepts', () => {
  let reads = 0
  const counted = z.unknown().refine(() => ++reads > 0)
  const bounded = z.strictObject({
    list: z.array(counted).min(1).max(3).describe('A few.').optional(),
    record: z
      .record(z.string(), counted)
      .refine((entries) => Object.keys(entries).length <= 3, { error: 'must have at most 3 pairs' })
      .meta({ maxProperties: 3 })
      .describe('A few.')
      .optional(),
    inner: z.array(z.strictObject({ list: z.array(counted).max(3) })).optional(),
  })
  // Reading the last entry would report that it is not well-formed.
  const many = [...Array.from({ length: 50_000 }, () => 1), '\ud800']

  test.each([
    [{ list: many }, 'list', 'must have at most 3 entries'],
    [{ record: { ...many } }, 'record', 'must have at most 3 pairs'],
    [{ inner: [{ list: many }] }, 'inner[0].list', 'must have at most 3 entries'],
  ])(
    'an input with more entries than its schema accepts is rejected without reading the entries beyond the maximum: %j',
    (input, field, issue) => {
      reads = 0
      expect(issuesFor(input, bounded)).toEqual([{ field, issue }])
      expect(reads).toBeLessThanOrEqual(4)
    },
  )

  test.each(Object.values(operations))(
    'an input with more entries than its schema accepts is rejected by the operation $name, whose lists and records all have a maximum',
    (operation) => {
      expect(unbounded(acceptedInput(operation), operation.name)).toEqual([])
    },
  )

  test('an input with more entries than its schema accepts is accepted unchanged with exactly the maximum', () => {
    const input = { list: [1, 2, 3], record: { a: 1, b: 2, c: 3 }, inner: [{ list: [1] }, { list: [] }] }
    expect(validate(bounded, input)).toEqual(input)
  })
})

/** The paths of lists and records without a maximum. */
function unbounded(given: z.ZodType | undefined, path: string): readonly string[] {
  const inner = unwrapped(given)
  if (!inner) return []
  const fields = Object.entries(findShape(inner) ?? {})
  const inFields = fields.flatMap(([name, member]) => unbounded(member, `${path}.${name}`))
  const element = findElement(inner) ?? (inner.type === 'record' ? findMember(inner, 'x') : undefined)
  const own = element && maxEntries(inner) === Infinity ? [path] : []
  return [...own, ...inFields, ...unbounded(element, `${path}[]`)]
}

describe('text that stores treat differently', () => {
  const safe = (value: string) => !value.includes('\0') && value.isWellFormed()

  test('text that stores treat differently is rejected, and all other text is accepted', () => {
    const anyString = z.strictObject({ text: z.string() })
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.constantFrom('', '\0', '\ud800', '\udfff'), (around, added) => {
        const text = around + added + around
        const issues = issuesFor({ text }, anyString).filter(({ issue }) => /NUL|surrogates/.test(issue))
        expect(issues.map(({ field }) => field)).toEqual(safe(text) ? [] : ['text'])
      }),
    )
  })

  test.each([
    [{ name: 'a', tags: { a: '\0' } }, 'tags.a'],
    [{ name: 'a', parcels: [{}, { note: ['x', '\ud800'] }] }, 'parcels[1].note[1]'],
    [{ 'a\0': 1 }, null],
    [{ name: 'a', tags: { '\udc00': 'x' } }, 'tags'],
  ])('text that stores treat differently is found in %j', (input, field) => {
    expect(issuesFor(input)).toMatchObject([{ field }])
  })
})

describe('nesting', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])

  test('nesting is accepted up to 64 levels and rejected from 65', () => {
    expect(issuesFor({ name: 'a', x: nested(63) })).toMatchObject([{ issue: 'is not a known field' }])
    expect(issuesFor({ name: 'a', x: nested(64) })).toMatchObject([
      { field: `x${'[0]'.repeat(63)}`, issue: 'must not be nested deeper than 64 levels' },
    ])
  })
})
