import { hash } from 'node:crypto'
import { z } from 'zod'
import type { Call } from './call.ts'
import { invalidRequest } from './errors.ts'
import { integerBetween } from './field-schemas.ts'
import { isId } from './id.ts'
import { typeNames } from './operation.ts'
import type { Position, Slice } from './stores.ts'

const maxCursorLength = 512

/** The fields that every list takes beside its filters. */
export const pageInput = {
  limit: integerBetween(1, 100).default(20).describe('Maximum number of records in the page.'),
  cursor: z
    .string()
    .max(maxCursorLength, { error: 'must be a cursor' })
    .optional()
    .describe('The `next_cursor` of the previous page. Default: the first page.'),
  sort: z
    .enum(['created_at', '-created_at'])
    .register(typeNames, {
      name: 'ListOrder',
      description: 'Sort order of a list.',
      values: { created_at: 'Oldest first.', '-created_at': 'Newest first.' },
    })
    .default('-created_at')
    .describe('Sort order: oldest or newest first.'),
}

/** What a list was asked for, beside its filters. */
export type PageInput = z.output<z.ZodObject<typeof pageInput>>

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

const version = '1'
const checkLength = 22

const payload = z.tuple([z.int(), z.string().refine((text) => isId(text))])

/**
 * Where the next page of a list begins, as a caller carries it: a version, a check, and the last position that was shown.
 * The check is made over the list's name too. It has no secret, since a cursor opens nothing: whatever it says, a caller
 * sees only the records that it may see.
 *
 * @param list tells this list from every other: its name, order and filters
 */
function writeCursor(list: string, { createdAt, id }: Position): string {
  const text = Buffer.from(JSON.stringify([createdAt, id])).toString('base64url')
  return version + checkOf(list, text) + text
}

/** The position in a cursor of this list; undefined for anything else. */
function readCursor(list: string, cursor: string): Position | undefined {
  const text = cursor.slice(version.length + checkLength)
  if (cursor !== version + checkOf(list, text) + text) return undefined
  const parsed = payload.safeParse(jsonOf(text))
  if (!parsed.success) return undefined
  const [createdAt, id] = parsed.data
  return { createdAt, id }
}

function checkOf(list: string, text: string): string {
  return hash('sha256', JSON.stringify([version, list, text]), 'base64url').slice(0, checkLength)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
