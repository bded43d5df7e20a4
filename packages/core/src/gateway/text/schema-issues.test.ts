import { expect, test } from 'vitest'
import * as z from 'zod'
import { computingMs } from '../../runtime/clock.ts'
import type { JsonSchema } from '../messages/message.ts'
import { schemaIssues } from './schema-issues.ts'

const person = { type: 'object', properties: { age: { type: 'integer', minimum: 0 } }, required: ['age'] }

test('schemaIssues returns no issues for a value that matches the schema', () => {
  expect(schemaIssues(person, { age: 7 })).toEqual([])
})

test('schemaIssues names the path of each issue', () => {
  const issues = [{ issue: expect.stringMatching(/^age: /), location: 'age (minimum)' }]
  expect(schemaIssues(person, { age: -1 })).toEqual(issues)
})

test('schemaIssues leaves the text of the value out of the location of an issue', () => {
  const schema = { type: 'object', properties: { kind: { enum: ['a'] } }, additionalProperties: { type: 'integer' } }
  const places = (of: JsonSchema, value: object) => schemaIssues(of, value)?.map(({ location }) => location)
  expect(places(schema, { kind: 'secret', secret: 'secret' })).toEqual(['kind (enum)', '* (type)'])
  const closed = { ...schema, additionalProperties: false }
  expect(places(closed, { kind: 'a', secret: 1 })).toEqual(['the value (additionalProperties)'])
})

/** Each definition refers twice to the next one. */
const exponential = {
  $ref: '#/$defs/d0',
  $defs: {
    ...Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `d${i}`,
        { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
      ]),
    ),
    d40: { type: 'string' },
  },
}

test.each<[string, Record<string, unknown>, unknown]>([
  ['takes exponential time', exponential, 7],
  ['has a pattern that backtracks', { type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`],
  ['refers to itself', { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, 7],
  ['has keywords that cannot be checked', { contains: {}, unevaluatedItems: false }, 7],
  ['has an unknown type', { type: 'nothing' }, 7],
])('schemaIssues gives up on a schema that %s, within its time', (_case, schema, value) => {
  const began = computingMs()
  expect(schemaIssues(schema, value)).toBeUndefined()
  expect(computingMs() - began).toBeLessThan(1_000)
})

test('schemaIssues counts processor time, so that a check which had to wait for the processor is repeated', () => {
  const slow = { type: 'string', pattern: '^(a+)+$' }
  const value = `${'a'.repeat(18)}!`
  expect(schemaIssues(slow, value, { maxMs: 1, computed: () => 0 })).toHaveLength(1)
  let ms = 0
  expect(schemaIssues(slow, value, { maxMs: 1, computed: () => ms++ })).toBeUndefined()
})

test('schemaIssues checks the next value after it gave up', () => {
  schemaIssues(exponential, 7)
  expect(schemaIssues(person, { age: 7 })).toEqual([])
})

test('schemaIssues keeps no schema that has an id', () => {
  schemaIssues({ ...person, id: 'Person' }, { age: 7 })
  // oxlint-disable-next-line no-underscore-dangle -- zod's own map of ids, which is never cleared
  expect(z.globalRegistry._idmap.has('Person')).toBe(false)
})
