import { assert, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OperationRun } from '../run/operation-run.ts'
import type { PageMeta } from '../run/envelope.ts'
import { anyCharacter } from '../../testing/any-character.ts'
import { backwards, openPage } from './paging.ts'
import type { Position } from './slice.ts'

const record = (n: number): Position => ({ createdAt: n, id: `shp_${String(n).padStart(37, '0')}` })
const request = { limit: 2, sort: '-created_at', cursor: undefined } as const

/** Returns the records and the metadata of a page. */
function shown(found: readonly Position[], input: object = {}, name = 'shipments') {
  const pages: PageMeta[] = []
  const call = { page: (meta: PageMeta) => void pages.push(meta) } as unknown as OperationRun
  const items = openPage(name, { ...request, ...input }).show(call, found)
  return { items, ...pages[0] }
}

const cursor = shown([record(9), record(8), record(7)]).nextCursor ?? ''
const invalidCursor = expect.objectContaining({
  code: 'INVALID_REQUEST',
  issues: [expect.objectContaining({ field: 'cursor' })],
})

describe('openPage', () => {
  test('openPage queries one record more than the page has, to set hasMore', () => {
    expect(openPage('shipments', request).slice).toEqual({ first: 'newest', limit: 3 })
    expect(shown([record(9), record(8), record(7)])).toMatchObject({ items: [record(9), record(8)], hasMore: true })
  })

  test('openPage returns no cursor on the last page', () => {
    expect(shown([record(9), record(8)])).toEqual({
      items: [record(9), record(8)],
      nextCursor: null,
      hasMore: false,
      limit: 2,
    })
  })

  test('openPage begins after the last record of the previous page', () => {
    expect(openPage('shipments', { ...request, cursor }).slice).toMatchObject({ after: record(8) })
  })

  test('openPage continues a list of a feature of one’s own, whose ids have their own prefix', () => {
    const notes = [3, 2, 1].map((n) => ({ createdAt: n, id: `note_${String(n).padStart(37, '0')}` }))
    const { nextCursor } = shown(notes, {}, 'notes')
    expect(openPage('notes', { ...request, cursor: nextCursor ?? '' }).slice).toMatchObject({ after: notes[1] })
  })

  test('openPage accepts another limit than that of the previous page', () => {
    expect(openPage('shipments', { ...request, cursor, limit: 100 }).slice).toMatchObject({
      after: record(8),
      limit: 101,
    })
  })

  test('openPage returns the filters without the fields of paging', () => {
    expect(openPage('shipments', { ...request, status: 'pending' }).filters).toEqual({ status: 'pending' })
  })
})

describe('backwards', () => {
  test('backwards requests the page before a cursor, whose cursors are those of the requested order', () => {
    const input = backwards(request, cursor)
    expect(openPage('shipments', input).slice).toEqual({ first: 'oldest', limit: 3, after: record(8) })
    const { nextCursor } = shown([record(9), record(10), record(11)], input)
    expect(openPage('shipments', { ...request, cursor: nextCursor ?? '' }).slice.after).toEqual(record(10))
  })

  test('backwards requests the last page without a cursor', () => {
    expect(openPage('shipments', backwards(request, undefined)).slice).toEqual({ first: 'oldest', limit: 3 })
  })

  test('backwards rejects a cursor of another order', () => {
    const input = backwards({ ...request, sort: 'created_at' as const }, cursor)
    expect(() => openPage('shipments', input)).toThrow(invalidCursor)
  })
})

describe('a cursor', () => {
  test.each([
    ['of another list', () => openPage('users', { ...request, cursor })],
    ['of another order', () => openPage('shipments', { ...request, cursor, sort: 'created_at' })],
    ['of other filters', () => openPage('shipments', { ...request, cursor, status: 'pending' })],
  ])('%s is rejected', (_case, open) => {
    expect(open).toThrow(invalidCursor)
  })

  test('a cursor with any changed character is rejected', () => {
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === 'A' ? 'B' : 'A'
      const changed = cursor.slice(0, at) + other + cursor.slice(at + 1)
      expect(() => openPage('shipments', { ...request, cursor: changed })).toThrow(invalidCursor)
    }
  })

  test.each([cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, ` ${cursor}`, '', '1', '0', 'null', '{}'])(
    '%j is rejected',
    (changed) => {
      expect(() => openPage('shipments', { ...request, cursor: changed })).toThrow(invalidCursor)
    },
  )

  test('a cursor of random text is rejected', () => {
    const rejected = (text: string) => {
      expect(() => openPage('shipments', { ...request, cursor: text })).toThrow(invalidCursor)
    }
    assert(property(string({ unit: anyCharacter }), rejected))
  })
})
