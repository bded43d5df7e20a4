import * as z from 'zod'
import { hasAtMost, textAtMost } from './field-schemas.ts'

/** Names and values by which usage is grouped, such as `team` and `search`. */
export type Tags = Readonly<Record<string, string>>

export const maxTags = 16
const maxNameLength = 64
const maxValueLength = 128

const isTagName = (text: string) => /\S/.test(text) && hasAtMost(maxNameLength, text)

export const tagsSchema = z
  .record(z.string(), textAtMost(maxValueLength))
  .refine((tags) => Object.keys(tags).length <= maxTags, { error: `must have at most ${maxTags} pairs` })
  .refine((tags) => Object.keys(tags).every(isTagName), {
    error: `must have names of 1 to ${maxNameLength} characters`,
  })
  .meta({ maxProperties: maxTags })
