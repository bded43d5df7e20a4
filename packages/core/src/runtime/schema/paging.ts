import { hash } from 'node:crypto'
import * as z from 'zod'
import type { OperationRun } from '../run/operation-run.ts'
import { invalidRequest } from '../errors.ts'
import { integerBetween, namedEnum } from './field-schemas.ts'
import { isId } from '../id.ts'
import { parseJson } from '../json.ts'
import type { Position, Slice } from './slice.ts'

const maxCursorLength = 512

/** The input fields of every list, besides its filters. */
export const pageInput = {
  limit: integerBetween(1, 100).default(20).describe('Maximum number of records in the page.'),
  cursor: z
    .string()
    .max(maxCursorLength, { error: 'is too long to be a cursor' })
    .optional()
    .describe('Cursor of the page, from the previous page. Default: the first page.'),
  sort: namedEnum('ListOrder', 'Sort order of a list.', { created_at: 'Oldest first.', '-created_at': 'Newest first.' })
    .default('-created_at')
    .describe('Sort order: oldest or newest first.'),
}

export type PageInput = z.output<z.ZodObject<typeof pageInput>>

export interface Page<Filters> {
  readonly filters: Filters
  /** The slice to query: one record more than the page has, to know whether there is a next page. */
  readonly slice: Slice
  /**
   * Returns the records of the page, and sets the page metadata of the call.
   *
   * @param examinedTo where the store stopped its search before the page was full; the next page begins there
   */
  show<Item extends Position & { readonly version?: number }>(
    call: OperationRun,
    found: readonly Item[],
    examinedTo?: Position,
  ): readonly Item[]
}

/** Reads the requested page. Throws `INVALID_REQUEST` for a cursor that was modified, or is of another list or filter. */
export function openPage<Input extends PageInput>(
  name: string,
  { limit, cursor, sort, ...filters }: Input,
): Page<Omit<Input, keyof PageInput>> {
  const isReversed = cursor?.startsWith(reversal) === true
  const sent = isReversed ? cursor.slice(reversal.length) || undefined : cursor
  const list = JSON.stringify([name, isReversed ? otherOrder[sort] : sort, sortedEntries(filters)])
  const after = sent === undefined ? undefined : readCursor(list, sent)
  if (sent !== undefined && !after) {
    throw invalidRequest({
      field: 'cursor',
      issue: 'is not a valid cursor of this list: send it unchanged, with the same sort and filters, or omit it',
    })
  }
  return {
    filters,
    slice: { first: sort === 'created_at' ? 'oldest' : 'newest', limit: limit + 1, ...(after && { after }) },
    show(call, found, examinedTo) {
      const shown = found.slice(0, limit)
      const last = found.length > limit ? shown.at(-1) : examinedTo
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

const reversal = '-'
const otherOrder = { created_at: '-created_at', '-created_at': 'created_at' } as const

/**
 * Converts a request for the page before a cursor, or for the last page, to one for a page of the list in the other order.
 * Its cursors are valid in the requested order.
 */
export function backwards<Input extends { readonly sort?: PageInput['sort'] | undefined }>(
  input: Input,
  before: string | undefined,
): Input & Pick<PageInput, 'cursor' | 'sort'> {
  return { ...input, sort: otherOrder[input.sort ?? '-created_at'], cursor: reversal + (before ?? '') }
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
 * Encodes a cursor: a version, a checksum, and the position of the last record on the page. The checksum covers the list.
 * It is not a signature, because a cursor grants no access: access to the records is checked for each page.
 *
 * @param list the name, order, and filters of the list
 */
function writeCursor(list: string, { createdAt, id }: Position): string {
  const text = Buffer.from(JSON.stringify([createdAt, id])).toString('base64url')
  return version + cursorCheck(list, text) + text
}

/** Decodes a cursor of this list; undefined for any other text. */
function readCursor(list: string, cursor: string): Position | undefined {
  const text = cursor.slice(version.length + checkLength)
  if (cursor !== version + cursorCheck(list, text) + text) return undefined
  const parsed = payload.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
  if (!parsed.success) return undefined
  const [createdAt, id] = parsed.data
  return { createdAt, id }
}

function cursorCheck(list: string, text: string): string {
  return hash('sha256', JSON.stringify([version, list, text]), 'base64url').slice(0, checkLength)
}
