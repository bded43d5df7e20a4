import * as z from 'zod'
import { invalidRequest } from '../errors.ts'
import { hasAtMost, textAtMost } from './field-schemas.ts'

/** Names and values by which usage is grouped, such as `team` and `search`. */
export type Tags = Readonly<Record<string, string>>

const maxTags = 16
const maxNameLength = 64
const maxValueLength = 128

const isTagName = (text: string) => /\S/.test(text) && hasAtMost(maxNameLength, text)

/** Tags in an input: at most 16, with names of 1 to 64 characters and values of at most 128. */
export const tagsSchema = z
  .record(z.string(), textAtMost(maxValueLength))
  .refine((tags) => Object.keys(tags).length <= maxTags, { error: `must have at most ${maxTags} pairs` })
  .refine((tags) => Object.keys(tags).every(isTagName), {
    error: `must have names of 1 to ${maxNameLength} characters`,
  })
  .meta({ maxProperties: maxTags })

/** Throws `INVALID_REQUEST` for tags of a request that are too many or too long. */
export function checkedTags(tags: Tags): Tags {
  const checked = tagsSchema.safeParse(tags)
  if (checked.success) return checked.data
  const [first] = checked.error.issues
  throw invalidRequest({ field: 'tags', issue: first?.message ?? 'is not valid' })
}

/** Reads a list of tags such as `team=search, env=prod`. Undefined if it is malformed. */
export function parseTags(text: string): Tags | undefined {
  const pairs = text.split(',').map((pair) => {
    const at = pair.indexOf('=')
    return at < 0 ? undefined : ([pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const)
  })
  return pairs.includes(undefined) ? undefined : Object.fromEntries(pairs.filter((pair) => pair !== undefined))
}

/** The pairs of a client's metadata that are short enough to group by. Undefined if there are none. */
export function tagsIn(metadata: Readonly<Record<string, unknown>>): Tags | undefined {
  const isTag = ([name, value]: readonly [string, unknown]) =>
    isTagName(name) && typeof value === 'string' && hasAtMost(maxValueLength, value)
  const pairs = Object.entries(metadata).filter(isTag).slice(0, maxTags)
  return pairs.length === 0 ? undefined : (Object.fromEntries(pairs) as Tags)
}
