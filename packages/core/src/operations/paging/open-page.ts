import type { Call } from '../../runtime/call.ts'
import { invalidRequest } from '../../values/invalid-request.ts'
import type { Position, Slice } from '../../values/slice.ts'
import { readCursor, writeCursor } from './cursor.ts'
import type { PageInput } from './page-input.ts'

/** One page of a list. */
export interface Page<Filters> {
  readonly filters: Filters
  /** What the store is asked for: one record more than is shown, to tell whether there is a next page. */
  readonly slice: Slice
  /** Keeps what belongs on the page, and tells the caller how to go on. */
  show<Item extends Position & { readonly version?: number }>(call: Call, found: readonly Item[]): readonly Item[]
}

/**
 * Reads which page of a list is asked for. A cursor that was changed, or comes from another list, or from this one in
 * another order or under other filters, is refused with `INVALID_REQUEST`.
 */
export function openPage<Input extends PageInput>(
  name: string,
  { limit, cursor, sort, ...filters }: Input,
): Page<Omit<Input, keyof PageInput>> {
  const list = JSON.stringify([name, sort, sortedEntries(filters)])
  const after = cursor === undefined ? undefined : readCursor(list, cursor)
  if (cursor !== undefined && !after) {
    throw invalidRequest({
      field: 'cursor',
      issue: 'is not a cursor of this list: send it unchanged, with the same sort and filters, or leave it out',
    })
  }
  return {
    filters,
    slice: { first: sort === 'created_at' ? 'oldest' : 'newest', limit: limit + 1, ...(after && { after }) },
    show(call, found) {
      const shown = found.slice(0, limit)
      const last = found.length > limit ? shown.at(-1) : undefined
      call.page({ nextCursor: last ? writeCursor(list, last) : null, hasMore: last !== undefined, limit }, () =>
        shown.map((item) => ({
          cursor: writeCursor(list, item),
          ...(item.version !== undefined && { version: item.version }),
        })),
      )
      return shown
    },
  }
}

function sortedEntries(filters: object): readonly (readonly [string, unknown])[] {
  return Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
}
