import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonScan, maxJsonDepth, maxJsonTokens, parseJsonBytes } from './json-scan.ts'

/** The limit that a text exceeds when it arrives in pieces of so many bytes. */
function findExcess(text: string, pieceLength = 65_536) {
  const scan = new JsonScan()
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += pieceLength) {
    if (!scan.add(bytes.subarray(start, start + pieceLength))) return scan.excess
  }
  return undefined
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
/** An array of that many tokens, where `filled` is one of them. */
const createList = (tokens: number, filled: string) => `[${`${filled},`.repeat((tokens - 3) / 2)}${filled}]`

describe('a scan of JSON', () => {
  test.each(['1', '"x"', '""', '"\\""', '"\\\\"', '"[{,:"', 'true', '-1.5e+300', ' null ', '"é😀"'])(
    'a scan of JSON counts %s as one token',
    (token) => {
      expect(findExcess(createList(maxJsonTokens - 1, token))).toBeUndefined()
      expect(findExcess(createList(maxJsonTokens + 1, token))).toBe('tokens')
    },
  )

  test('a scan of JSON counts numbers, and the commas behind them, only beyond those that a text may have', () => {
    const numbers = maxJsonTokens
    const scanned = (text: string) => {
      const scan = new JsonScan({ numbers })
      scan.add(Buffer.from(text))
      return scan.excess
    }
    expect(scanned(`[${'12, '.repeat(numbers)}3]`)).toBeUndefined()
    expect(scanned(`[${'12,'.repeat(numbers * 1.4)}3]`)).toBeUndefined()
    expect(scanned(`[${'12,'.repeat(numbers * 2)}3]`)).toBe('tokens')
    expect(scanned(`[${'"x",'.repeat(numbers / 2)}3]`)).toBe('tokens')
  })

  test('a scan of JSON accepts 64 levels and rejects 65', () => {
    expect(findExcess(nested(maxJsonDepth))).toBeUndefined()
    expect(findExcess(nested(maxJsonDepth + 1))).toBe('depth')
    expect(findExcess(`[${`${nested(maxJsonDepth - 1)},`.repeat(100)}1]`)).toBeUndefined()
  })

  test('a scan of JSON finds no brackets in strings', () => {
    expect(findExcess(JSON.stringify('['.repeat(200_000)))).toBeUndefined()
    expect(findExcess(JSON.stringify('\\"['.repeat(200_000)))).toBeUndefined()
  })

  test('a scan of JSON counts the same tokens however the bytes are divided', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (json) => {
        const tokens = json.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g)?.length ?? 0
        const whole = new JsonScan()
        const divided = new JsonScan()
        whole.add(Buffer.from(json))
        for (const byte of Buffer.from(json)) divided.add(Uint8Array.of(byte))
        const rest = Buffer.from(' 1'.repeat(maxJsonTokens - tokens))
        for (const scan of [whole, divided]) {
          expect(scan.add(rest)).toBe(true)
          expect(scan.add(Buffer.from(' 1'))).toBe(false)
        }
      }),
    )
  })
})

describe('the value of JSON bytes', () => {
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
})
