import { type Issue, isObject, type JsonObject, type Message, type OpaquePart } from '@fairlead/core/provider'

/** What clients send who set nothing: such a field counts as not set. */
const usual: JsonObject = {
  temperature: 0.7,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
  quality: 'standard',
  style: 'natural',
}

/** Whether a request sets a field to another value than the usual one. */
export function isSet<Request extends object>(request: Request, field: keyof Request & string): boolean {
  return request[field] !== undefined && request[field] !== usual[field]
}

/** The warning of a field that is not sent. */
export function unsupported(field: string): Issue {
  return { field, issue: 'is not supported by this model and was ignored' }
}

/** The warnings of those fields that a request sets, and that are not sent. */
export function unsupportedFields<Request extends object>(
  request: Request,
  fields: readonly (keyof Request & string)[],
): readonly Issue[] {
  return fields.filter((field) => isSet(request, field)).map(unsupported)
}

/** The warnings of the blocks of earlier answers that are not sent, one for each kind. */
export function blockWarnings(
  messages: readonly Message[],
  isLeftOut: (block: OpaquePart) => boolean,
): readonly Issue[] {
  const parts = messages.flatMap(({ role, content }) => (role === 'assistant' ? content : []))
  const kinds = parts.flatMap((part) => (part.type === 'opaque' && isLeftOut(part) ? [part.kind] : []))
  return [...new Set(kinds)].map((kind) => ({ field: 'messages', issue: `blocks of the kind "${kind}" were left out` }))
}

/**
 * The body of a request with the options of the caller: their objects add fields to those of the body, their lists add
 * items, and all else replaces.
 */
export function withOptions<Body extends object>(body: Body, options: JsonObject | undefined): Body {
  if (!options) return body
  const merged = Object.entries(options).map(([name, value]) => {
    const own: unknown = Object.hasOwn(body, name) ? body[name as keyof Body] : undefined
    if (Array.isArray(own) && Array.isArray(value)) return [name, [...own, ...value]]
    return [name, isObject(own) && isObject(value) ? { ...own, ...value } : value]
  })
  return { ...body, ...Object.fromEntries(merged) }
}
