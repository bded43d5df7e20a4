import type { AskedById } from '../execution/asked-document.ts'

export type JsonType = 'application/json' | 'application/graphql-response+json'

/** The JSON that a client wants, as yoga would choose it; undefined where that takes more than a look. */
export function mediaTypeOf(accept: string | undefined): JsonType | undefined {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'application/json'
  if (accept.includes(';')) return undefined
  for (const type of accept.split(',')) {
    const name = type.trim().toLowerCase()
    if (name === 'application/json' || name === 'application/graphql-response+json') return name
  }
  return undefined
}

const typesOfEvents: ReadonlySet<string> = new Set(['text/event-stream', 'text/*', '*/*'])

/** Whether a client takes a stream of server-sent events; a weight of 0 says that it does not (RFC 9110, 12.4.2). */
export function takesEvents(accept: string | null | undefined): boolean {
  return (accept ?? '*/*').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return typesOfEvents.has(type) && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

const foreignCharset = /^\s*charset\s*=(?!\s*"?utf-?8"?\s*$)/

/** Whether a body is JSON in UTF-8 as it stands. Other parameters mean nothing to JSON (RFC 8259, 11). */
export function isJson(contentType: string | null | undefined, encoding: string | null | undefined): boolean {
  if ((encoding ?? 'identity') !== 'identity') return false
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  return type.trim() === 'application/json' && parameters.every((one) => !foreignCharset.test(one))
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const known: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions', 'documentId'])

/** What a body asks for; undefined where it is not plainly what it should be. */
export function paramsIn(body: Uint8Array): AskedById | undefined {
  let params: unknown
  try {
    params = JSON.parse(utf8.decode(body))
  } catch {
    return undefined
  }
  return isParams(params) ? params : undefined
}

function isParams(params: unknown): params is AskedById {
  if (!isMap(params) || !Object.keys(params).every((name) => known.has(name))) return false
  const { query, documentId, variables, operationName, extensions } = params
  return (
    (typeof query === 'string' || (query === undefined && typeof documentId === 'string')) &&
    (isAbsent(variables) || isMap(variables)) &&
    (isAbsent(operationName) || typeof operationName === 'string') &&
    (isAbsent(extensions) || isMap(extensions))
  )
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
