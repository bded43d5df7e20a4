import { z } from 'zod'

/** A number in a closed range, refused in words that name the whole range. */
export function numberBetween(min: number, max: number): z.ZodNumber {
  const error = `must be between ${min} and ${max}`
  return z.number().min(min, { error }).max(max, { error })
}

/** An integer in a closed range. */
export function integerBetween(min: number, max: number): z.ZodNumber {
  const error = `must be between ${min} and ${max}`
  // What is too large to be exact would else be told twice: as no integer that a number can hold, and by its bounds.
  const exact = z.int({ abort: true, error: ({ code }) => (code?.startsWith('too_') ? error : undefined) })
  return exact.min(min, { error }).max(max, { error })
}

/** Text with at least one character that is not white space, and at most so many code points. */
export function textUpTo(maxCodePoints: number): z.ZodString {
  return textAtMost(maxCodePoints).regex(/\S/, { error: 'must not be empty' })
}

/** Text, or none, of at most so many code points. */
export function textAtMost(maxCodePoints: number): z.ZodString {
  return z
    .string()
    .refine((text) => hasAtMost(maxCodePoints, text), {
      error: `must have at most ${maxCodePoints.toLocaleString('en')} characters`,
      abort: true,
    })
    .meta({ maxLength: maxCodePoints })
}

/** Whether a text has at most this many code points. */
export function hasAtMost(maxCodePoints: number, text: string): boolean {
  let excess = text.length - maxCodePoints
  // Each code point is one or two code units, so only lengths in between need counting.
  if (excess > maxCodePoints) return false
  // An iterator over the code points would take 100 ms for 15 million of them.
  for (let at = 0; excess > 0 && at < text.length; at++) {
    if (text.codePointAt(at)! <= 0xffff) continue
    excess--
    at++
  }
  return excess <= 0
}

/** A date-time of RFC 3339, with its offset. */
export const dateTime = z.iso.datetime({ offset: true }).max(35, { error: 'must tell at most nanoseconds' })

/** Whether the caller takes an answer that it was given before. */
export const cacheFlag = z
  .boolean()
  .default(true)
  .describe('Whether a cached response to the same request may be returned, where the operator enables caching.')

/** When something happened, as we tell it. */
export const instant = z.string().meta({ format: 'date-time' })

/** The name of a model. */
export const modelId = z.string().max(200)

/** What the deletion of a record answers with. */
export const deletion = z
  .object({
    id: z.string().describe('Id of the deleted record.'),
    deleted: z.literal(true).describe('Always true.'),
  })
  .meta({ id: 'Deletion', description: 'What was deleted, revoked or ended.' })

/** A count or a duration of one call in a result: an integer of 32 bits, which GraphQL has as `Int`. */
export const smallCount = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
