import { isUtf8 } from 'node:buffer'
import { useCSRFPrevention } from '@graphql-yoga/plugin-csrf-prevention'
import { JsonScan } from '@fairlead/core/adapter'
import { type BodyRoom, readStream } from '@fairlead/http'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import type { GraphqlContext } from '../context.ts'
import { excessError, httpError, noRoom } from '../errors.ts'
import { holdBody } from './hold-body.ts'
import { isJson } from './plain-post.ts'

/** Cross-site pages cannot send these headers without a preflight request. One of them is required. */
const csrfHeaders = ['authorization', 'x-graphql-yoga-csrf', 'apollo-require-preflight', 'x-apollo-operation-name']

type Check = Plugin<object, GraphqlContext>

/** Checks a request before yoga reads it. */
export function requestChecks(limits: BodyLimits): readonly Check[] {
  return [jsonOnly(), csrfPrevention(), noIdempotencyKeyHeader(), searchParams(), bodyLimits(limits)]
}

/** Other body formats are what cross-site pages can send, and no client needs them. */
function jsonOnly(): Check {
  return {
    onRequestParse({ request: { method, headers } }) {
      if (method !== 'POST' || isJson(headers.get('content-type'), headers.get('content-encoding'))) return
      const fix = 'Send the body as "Content-Type: application/json", in UTF-8, and without a Content-Encoding.'
      throw httpError('UNSUPPORTED_MEDIA_TYPE', 415, fix)
    },
  }
}

/** Yoga's own check, with a message that says which header is missing. */
function csrfPrevention(): Check {
  const { onRequestParse } = useCSRFPrevention({ requestHeaders: csrfHeaders })
  return {
    onRequestParse(payload) {
      try {
        return onRequestParse?.(payload)
      } catch {
        const fix = 'Send an "Authorization" header, or "X-GraphQL-Yoga-CSRF: 1"'
        throw httpError('FORBIDDEN', 403, `${fix}: without either, the request could come from a cross-site page.`)
      }
    },
  }
}

/** A document may have several mutations, so the key is an argument of each. */
function noIdempotencyKeyHeader(): Check {
  return {
    onRequestParse({ request: { headers } }) {
      if (!headers.has('idempotency-key')) return
      const field = 'Idempotency-Key'
      const issue = 'is not supported over GraphQL: use the argument "idempotencyKey" of the mutation'
      throw httpError('INVALID_REQUEST', 400, `${field} ${issue}.`, { fault: { field, issue } })
    },
  }
}

/** Reads the parameters of a `GET`: yoga treats malformed JSON there as a bug, and does not read `documentId`. */
function searchParams(): Check {
  return {
    onRequestParse({ request, url, setRequestParser }) {
      if (request.method !== 'GET') return
      if (!isUtf8Encoded(url.search)) {
        throw httpError('INVALID_REQUEST', 400, 'The URL must be percent-encoded UTF-8.')
      }
      setRequestParser(() => readParams(url.searchParams))
    },
  }
}

/** `URLSearchParams` replaces invalid bytes by U+FFFD. */
function isUtf8Encoded(search: string): boolean {
  try {
    decodeURIComponent(search.replaceAll(/%(?![\dA-Fa-f]{2})/g, ''))
    return true
  } catch {
    return false
  }
}

function readParams(search: URLSearchParams): GraphQLParams {
  const params: Record<string, unknown> = {}
  for (const name of ['query', 'operationName', 'documentId']) {
    const value = search.get(name)
    if (value) params[name] = value
  }
  for (const name of ['variables', 'extensions']) {
    const value = search.get(name)
    if (value) params[name] = parsed(name, value)
  }
  return params
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw httpError('INVALID_REQUEST', 400, `"${name}" must be JSON.`)
  }
}

interface BodyLimits {
  readonly maxBodyBytes: number
  readonly bodyRoom: BodyRoom
}

/** Rejects JSON with too many tokens, and bodies for which there is no room, before yoga parses them. */
function bodyLimits({ maxBodyBytes, bodyRoom }: BodyLimits): Check {
  return {
    onRequestParse({ request, requestParser: parse, setRequestParser, fetchAPI: { Request }, serverContext }) {
      // Without a body here, another body parser has read it.
      if (request.method !== 'POST' || !request.body || !parse) return
      setRequestParser(async (limited) => {
        const declared = limited.headers.get('content-length')
        const isHeld = serverContext.outcome.bodyHold !== undefined
        const hold = isHeld
          ? undefined
          : await holdBody(bodyRoom, serverContext, declared === null ? undefined : Number(declared))
        const scan = new JsonScan()
        const body = await readStream(limited, maxBodyBytes, scan, hold).catch(noRoom)
        if (!body) throw excessError(scan.excess, maxBodyBytes)
        if (!isUtf8(body)) throw httpError('INVALID_REQUEST', 400, 'The body must be valid UTF-8.')
        return parse(new Request(limited.url, { method: 'POST', headers: limited.headers, body }))
      })
    },
  }
}
