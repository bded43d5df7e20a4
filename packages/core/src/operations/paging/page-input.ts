import { z } from 'zod'
import { integerBetween } from '../field-schemas.ts'
import { typeNames } from '../../runtime/surfaces.ts'

const longestCursor = 512

/** The fields that every list takes beside its filters. */
export const pageInput = {
  limit: integerBetween(1, 100).default(20).describe('The most records of the page.'),
  cursor: z
    .string()
    .max(longestCursor, { error: 'is not a cursor' })
    .optional()
    .describe('Where the page begins: the `next_cursor` of the page before.'),
  sort: z
    .enum(['created_at', '-created_at'])
    .register(typeNames, { name: 'ListOrder' })
    .default('-created_at')
    .describe('Oldest first, or newest first.'),
}

/** What a list was asked for, beside its filters. */
export type PageInput = z.output<z.ZodObject<typeof pageInput>>
