import { expect, test } from 'vitest'
import { parseJsonBytes } from './parse-json-bytes.ts'

const long = { data: Array.from({ length: 30 }, (_, index) => ({ index, text: 'é'.repeat(5_000) })) }

test.each<[string, unknown]>([
  ['a short text', { a: [1] }],
  ['a long text with a list', long],
  ['a long text without one', { text: 'x'.repeat(200_000) }],
])('the value of %s', (_name, value) => {
  expect(parseJsonBytes(Buffer.from(JSON.stringify(value)))).toEqual(value)
  expect(parseJsonBytes(Buffer.from(`\ufeff${JSON.stringify(value)}`))).toEqual(value)
})

test('other bytes than UTF-8 become U+FFFD, and a text that is no JSON has no value', () => {
  const bytes = Buffer.from(JSON.stringify({ ...long, end: '?' }))
  bytes[bytes.lastIndexOf('?')] = 0xff
  expect(parseJsonBytes(bytes)).toEqual({ ...long, end: '\ufffd' })
  expect(parseJsonBytes(bytes.subarray(1))).toBeUndefined()
})
