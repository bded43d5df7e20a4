import * as z from 'zod'

/** A number in a closed range. The error message names both bounds. */
export function numberBetween(min: number, max: number): z.ZodNumber {
  const error = `must be between ${min} and ${max}`
  return z.number().min(min, { error }).max(max, { error })
}

/** An integer in a closed range. The error message names both bounds. */
export function integerBetween(min: number, max: number): z.ZodNumber {
  const error = `must be between ${min} and ${max}`
  // Otherwise an unsafe integer would be reported twice: as not an integer, and as out of range.
  const exact = z.int({ abort: true, error: ({ code }) => (code?.startsWith('too_') ? error : undefined) })
  return exact.min(min, { error }).max(max, { error })
}

/** Text that is not blank, with a maximum length in code points. */
export function textUpTo(maxCodePoints: number): z.ZodString {
  return textAtMost(maxCodePoints).regex(/\S/, { error: 'must not be empty' })
}

/** Text, possibly empty, with a maximum length in code points. */
export function textAtMost(maxCodePoints: number): z.ZodString {
  return z
    .string()
    .refine((text) => hasAtMost(maxCodePoints, text), {
      // Formatted when it is needed: the first number takes 10 ms of the start.
      error: () => `must have at most ${maxCodePoints.toLocaleString('en')} characters`,
      abort: true,
    })
    .meta({ maxLength: maxCodePoints })
}

/** An object with any field names, and a maximum number of fields. */
export function recordUpTo<Value extends z.ZodType>(maxFields: number, value: Value): z.ZodRecord<z.ZodString, Value> {
  return z
    .record(z.string(), value)
    .refine((fields) => Object.keys(fields).length <= maxFields, { error: `must have at most ${maxFields} fields` })
    .meta({ maxProperties: maxFields })
}

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

/** An RFC 3339 date-time with an offset. */
export const dateTime = z.iso.datetime({ offset: true }).max(35, { error: 'must have at most nanosecond precision' })

/** Milliseconds since the epoch of an optional `dateTime`. */
export function parseInstant(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text)
}

export const cacheFlag = z
  .boolean()
  .default(true)
  .describe('Whether a cached response to the same request may be returned, if the operator has enabled caching.')

/** A date-time in a response. */
export const instant = z.string().meta({ format: 'date-time' })

/** A time, in milliseconds since the epoch, as responses have it. */
export function toInstant(at: number): string
export function toInstant(at: number | null): string | null
export function toInstant(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

export const modelId = z.string().max(200)

/** The version of a record in the data of its events. In responses, adapters show it, such as REST in `ETag`. */
export const recordVersion = z
  .int()
  .describe('Version of the record: 1 when it is created, incremented by each change.')

/** The output of an operation that deletes, revokes or ends a record. */
export const deletion = namedObject('Deletion', 'Confirms that a record was deleted, revoked or ended.', {
  id: z.string().describe('Id of the deleted record.'),
  deleted: z.literal(true).describe('Always true.'),
})

/** A count or a duration of one call in a result: an integer of 32 bits, which GraphQL has as `Int`. */
export const smallCount = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)

/**
 * GraphQL type names of schemas without an `id`. The default name consists of the enclosing type and the field, such as
 * `ModelPricing`.
 *
 * @example
 *   const tone = z.enum(['formal', 'casual']).register(typeNames, { name: 'Tone' })
 */
export const typeNames: z.core.$ZodRegistry<TypeName> = z.registry<TypeName>()

export interface TypeName {
  readonly name: string
  /** Default: none. */
  readonly description?: string
  /** Of an enum: a description for each value. Default: none. */
  readonly values?: Readonly<Record<string, string>>
}

/**
 * An enum that is a named type in GraphQL. Its values are the keys of their descriptions.
 *
 * @example
 *   const tone = namedEnum('Tone', 'Tone of a text.', { formal: 'As in a letter.', casual: 'As in a chat.' })
 */
export function namedEnum<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
): z.ZodEnum<{ [Key in Value]: Key }> {
  return z.enum(Object.keys(values) as Value[]).register(typeNames, { name, description, values })
}

/**
 * An object with a name in all APIs: its `id`. Unknown fields are left out.
 *
 * @example
 *   const noteRecord = namedObject('Note', 'A note.', {
 *     id: z.string().describe('Note id: `note_` and digits.'),
 *     text: textUpTo(1_000).describe('Text of the note.'),
 *     createdAt: instant.describe('When the note was created.'),
 *   })
 */
export function namedObject<Fields extends z.ZodRawShape>(
  id: string,
  description: string,
  fields: Fields,
): z.ZodObject<Fields, z.core.$strip> {
  return z.object(fields).meta({ id, description })
}

/** An object of an input, with a name in all APIs: its `id`. Unknown fields are rejected. */
export function namedStrictObject<Fields extends z.ZodRawShape>(
  id: string,
  description: string,
  fields: Fields,
): z.ZodObject<Fields, z.core.$strict> {
  return z.strictObject(fields).meta({ id, description })
}

/** A scope of any feature. Adapters list the scopes of their core as its values. */
export const scopeName = z.string().describe('Permission of a credential.')
