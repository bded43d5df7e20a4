import { isObject } from '@fairlead/core/provider'
import type { PersistedRequest } from '../execution/persisted-documents.ts'

export type JsonType = 'application/json' | 'application/graphql-response+json'

/** The JSON media type for an `Accept` header, as yoga would choose it; undefined if only yoga can tell. */
export function jsonTypeFor(accept: string | undefined): JsonType | undefined {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'application/json'
  if (accept.includes(';')) return undefined
  for (const type of accept.split(',')) {
    const name = type.trim().toLowerCase()
    if (name === 'application/json' || name === 'application/graphql-response+json') return name
  }
  return undefined
}

const eventTypes: ReadonlySet<string> = new Set(['text/event-stream', 'text/*', '*/*'])

/** Whether a client accepts server-sent events; a weight of 0 says that it does not (RFC 9110, 12.4.2). */
export function acceptsEvents(accept: string | null | undefined): boolean {
  return (accept ?? '*/*').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return eventTypes.has(type) && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

const otherCharset = /^\s*charset\s*=(?!\s*"?utf-?8"?\s*$)/

/** Whether a body is unencoded JSON in UTF-8. JSON ignores other parameters (RFC 8259, 11). */
export function isJson(contentType: string | null | undefined, encoding: string | null | undefined): boolean {
  if ((encoding ?? 'identity') !== 'identity') return false
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  return type.trim() === 'application/json' && parameters.every((one) => !otherCharset.test(one))
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const paramNames: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions', 'documentId'])

/** The parameters in a body; undefined for a body that yoga has to reject. */
export function paramsIn(body: Uint8Array): PersistedRequest | undefined {
  let params: unknown
  try {
    params = JSON.parse(utf8.decode(body))
  } catch {
    return undefined
  }
  return isParams(params) ? params : undefined
}

function isParams(params: unknown): params is PersistedRequest {
  if (!isObject(params) || !Object.keys(params).every((name) => paramNames.has(name))) return false
  const { query, documentId, variables, operationName, extensions } = params
  return (
    (typeof query === 'string' || (query === undefined && typeof documentId === 'string')) &&
    (isAbsent(variables) || isObject(variables)) &&
    (isAbsent(operationName) || typeof operationName === 'string') &&
    (isAbsent(extensions) || isObject(extensions))
  )
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}
