import { assert, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Call } from './call.ts'
import type { PageMeta } from './envelope.ts'
import type { Position } from './stores.ts'
import { openPage } from './paging.ts'

const record = (n: number): Position => ({ createdAt: n, id: `shp_${String(n).padStart(37, '0')}` })
const asked = { limit: 2, sort: '-created_at', cursor: undefined } as const

/** Shows what was found as a page, and tells what the caller would hear of it. */
function shown(found: readonly Position[], input: object = {}, name = 'shipments') {
  const heard: PageMeta[] = []
  const call = { page: (meta: PageMeta) => void heard.push(meta) } as unknown as Call
  const items = openPage(name, { ...asked, ...input }).show(call, found)
  return { items, ...heard[0] }
}

const cursor = shown([record(9), record(8), record(7)]).nextCursor ?? ''
const refusal = expect.objectContaining({
  code: 'INVALID_REQUEST',
  issues: [expect.objectContaining({ field: 'cursor' })],
})

describe('a page of a list', () => {
  test('asks the store for one record more than it shows, to know whether there are more', () => {
    expect(openPage('shipments', asked).slice).toEqual({ first: 'newest', limit: 3 })
    expect(shown([record(9), record(8), record(7)])).toMatchObject({ items: [record(9), record(8)], hasMore: true })
  })

  test('is the last where the store has no more', () => {
    expect(shown([record(9), record(8)])).toEqual({
      items: [record(9), record(8)],
      nextCursor: null,
      hasMore: false,
      limit: 2,
    })
  })

  test('begins behind the last record of the page before', () => {
    expect(openPage('shipments', { ...asked, cursor }).slice).toMatchObject({ after: record(8) })
  })

  test('may have another size than the page before', () => {
    expect(openPage('shipments', { ...asked, cursor, limit: 100 }).slice).toMatchObject({
      after: record(8),
      limit: 101,
    })
  })

  test('hands the filters on, without the fields of paging', () => {
    expect(openPage('shipments', { ...asked, status: 'pending' }).filters).toEqual({ status: 'pending' })
  })
})

describe('a cursor', () => {
  test.each([
    ['of another list', () => openPage('users', { ...asked, cursor })],
    ['of another order', () => openPage('shipments', { ...asked, cursor, sort: 'created_at' })],
    ['made under other filters', () => openPage('shipments', { ...asked, cursor, status: 'pending' })],
  ])('%s is refused', (_case, open) => {
    expect(open).toThrow(refusal)
  })

  test('is refused when any of its characters is another', () => {
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === 'A' ? 'B' : 'A'
      const changed = cursor.slice(0, at) + other + cursor.slice(at + 1)
      expect(() => openPage('shipments', { ...asked, cursor: changed })).toThrow(refusal)
    }
  })

  test.each([cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, ` ${cursor}`, '', '1', '0', 'null', '{}'])(
    'is refused as %j',
    (changed) => {
      expect(() => openPage('shipments', { ...asked, cursor: changed })).toThrow(refusal)
    },
  )

  test('is refused whatever text it is', () => {
    const refused = (text: string) => {
      expect(() => openPage('shipments', { ...asked, cursor: text })).toThrow(refusal)
    }
    assert(property(string({ unit: 'binary' }), refused))
  })
})
