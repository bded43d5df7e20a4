import type { Citation, Dialect, JsonObject } from '@fairlead/core/provider'
import { z } from 'zod'

const text = z.string().optional().catch(undefined)
const place = z.int().min(0).optional().catch(undefined)

/** The fields of an annotation. Chat completions have them in an object that is named after the type. */
const annotationFields = z.object({
  url: text,
  title: text,
  filename: text,
  start_index: place,
  end_index: place,
})

/**
 * An annotation of a text as its citation.
 *
 * @param dialect of the client, if it gets the annotation as the upstream wrote it
 */
export function citationOf(annotation: JsonObject, dialect: Dialect | undefined): Citation {
  const own = annotation[String(annotation['type'])]
  const { data } = annotationFields.safeParse(typeof own === 'object' && own !== null ? own : annotation)
  const { url, title = data?.filename, start_index: start, end_index: end } = data ?? {}
  return {
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    ...(dialect && { native: { [dialect]: annotation } }),
  }
}

/** @returns undefined if there are none */
export function citationsOf(
  annotations: readonly JsonObject[] | null | undefined,
  dialect: Dialect | undefined,
): readonly Citation[] | undefined {
  if (!annotations || annotations.length === 0) return undefined
  return annotations.map((annotation) => citationOf(annotation, dialect))
}
