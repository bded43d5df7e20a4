import { findJsonText, type JsonObject } from './json.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonScan } from './json-scan.ts'

/** A list with it is long. */
const filler = 'x'.repeat(20_000)

/** Parses a text in slices, after it arrived in pieces of so many bytes. */
function parseLists(text: string, pieceLength = 65_536) {
  const body = Buffer.from(text)
  const scan = new JsonScan({ findsLists: true })
  for (let start = 0; start < body.length; start += pieceLength) scan.add(body.subarray(start, start + pieceLength))
  const { lists } = scan
  const slices = lists?.hasAny ? [...lists.parse(body)] : []
  return { value: slices.at(-1), slices: slices.length, hasAny: lists?.hasAny }
}

function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const listIn = (value: JsonObject | undefined) => (value ? (value['list'] as readonly unknown[]) : [])

const keptText = (item: unknown) => {
  const text = findJsonText(item as JsonObject)
  return text && Buffer.from(text).toString()
}

describe('the long lists of a JSON text', () => {
  test('a text with a long list has the value that JSON.parse gives, however its bytes are divided', () => {
    const value = fc.record(
      {
        first: fc.array(fc.jsonValue()),
        __proto__: fc.jsonValue(),
        '7': fc.jsonValue(),
        '"\u{1f600}\\': fc.array(fc.jsonValue()),
      },
      { requiredKeys: ['first'] },
    )
    fc.assert(
      fc.property(
        value,
        fc.integer({ min: 1, max: 40_000 }),
        fc.constantFrom(undefined, 1),
        (fields, pieceLength, indent) => {
          const text = JSON.stringify({ ...fields, first: [filler, ...fields.first, filler] }, null, indent)
          expect(parseLists(text, pieceLength).value).toEqual(JSON.parse(text))
        },
      ),
    )
  })

  test('a text that is changed in one place has the value that JSON.parse gives, or none', () => {
    const text = JSON.stringify({ a: 1, list: [{ b: [2] }, filler, [{}], 'c'], d: { list: [filler] }, e: [filler, {}] })
    const places = [...text].flatMap((character, at) => (character === 'x' ? [] : [at]))
    const changes = ['', ',', ':', '[', ']', '{', '}', '"', ' ', '1', '\\', '\ufeff']
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.constantFrom(...changes), fc.boolean(), (at, change, replaces) => {
        const changed = text.slice(0, at) + change + text.slice(replaces ? at + 1 : at)
        const whole = parseWhole(changed)
        expect(parseLists(changed).value ?? whole).toEqual(whole)
      }),
      { numRuns: 1_000 },
    )
  })

  test('a list is parsed in slices of 64 kB', () => {
    const items = Array.from({ length: 40 }, (_, index) => ({ index, text: 'y'.repeat(10_000) }))
    const { value, slices } = parseLists(JSON.stringify({ items }))
    expect(value).toEqual({ items })
    expect(slices).toBe(Math.ceil(40 / 6) + 1)
  })

  test('an object of a long list keeps its text, byte by byte', () => {
    const first = ' { "n" : 1.0, "\\u0061": [ {"b":"\\u00e9"} ] } '
    const { value } = parseLists(`{"list":[${first},"${filler}",{"c":"é"},["d"]]}`)
    const kept = listIn(value).map((item) => (typeof item === 'object' ? keptText(item) : undefined))
    expect(kept).toEqual([first, undefined, '{"c":"é"}', undefined])
  })

  test('an object that repeats a name keeps no text, because its reader might take the other value', () => {
    const { value } = parseLists(`{"list":[{"a":1,"a":2},{"b":{"c":1,"\\u0063":2}},{"d":1},"${filler}"]}`)
    const [first, second, third] = listIn(value)
    expect([first, second, third]).toEqual([{ a: 2 }, { b: { c: 2 } }, { d: 1 }])
    expect([first, second, third].map(keptText)).toEqual([undefined, undefined, '{"d":1}'])
  })

  test.each([
    ['a root that repeats a name', `{"list":["${filler}"],"list":[]}`],
    // Nothing is in the last slice.
    ['a list whose last comma has no item behind it', `{"list":["${filler.repeat(4)}",]}`],
    ['a second root', `{"list":["${filler}"]}["a"]`],
    ['brackets that do not match', `{"list":[{"a":"${filler}"]]}`],
    ['a byte order mark inside', `{"list":[\ufeff"${filler}"]}`],
  ])('the caller parses a text with %s itself', (_name, text) => {
    expect(parseLists(text)).toMatchObject({ value: undefined, hasAny: true })
  })

  test('a list of another object, and a short one, are parsed with the rest', () => {
    expect(parseLists(JSON.stringify({ inside: { list: [filler] }, list: ['short'] })).hasAny).toBe(false)
    expect(parseLists(JSON.stringify([[filler]])).hasAny).toBe(false)
  })
})
