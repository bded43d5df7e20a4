import { z } from 'zod'
import { integerBetween } from '../field-schemas.ts'
import { typeNames } from '../../runtime/surfaces.ts'

const longestCursor = 512

/** The fields that every list takes beside its filters. */
export const pageInput = {
  limit: integerBetween(1, 100).default(20).describe('Maximum number of records in the page.'),
  cursor: z
    .string()
    .max(longestCursor, { error: 'must be a cursor' })
    .optional()
    .describe('The `next_cursor` of the previous page. Default: the first page.'),
  sort: z
    .enum(['created_at', '-created_at'])
    .register(typeNames, { name: 'ListOrder' })
    .default('-created_at')
    .describe('Sort order: oldest or newest first.'),
}

/** What a list was asked for, beside its filters. */
export type PageInput = z.output<z.ZodObject<typeof pageInput>>
