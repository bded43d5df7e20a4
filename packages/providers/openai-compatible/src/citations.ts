import type { Citation, JsonObject } from '@fairlead/core/provider'
import type { Reading } from './finish.ts'
import { countIn, objectIn, textIn } from './sent-values.ts'

/** An annotation of a text as its citation. */
export function toCitation(annotation: JsonObject, { native }: Reading): Citation {
  // Chat completions have the fields in an object that is named after the type.
  const fields = objectIn(annotation[String(annotation['type'])]) ?? annotation
  const url = textIn(fields['url'])
  const title = textIn(fields['title']) ?? textIn(fields['filename'])
  const start = countIn(fields['start_index'])
  const end = countIn(fields['end_index'])
  return {
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    ...(native && { native: { [native]: annotation } }),
  }
}
