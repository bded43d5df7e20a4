import { useCSRFPrevention } from '@graphql-yoga/plugin-csrf-prevention'
import { createJsonScan } from '@fairlead/node-http'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { excessError, httpError } from '../errors.ts'
import { isJson } from './plain-post.ts'

/** Cross-site pages cannot send these headers without a preflight request. One of them is required. */
const csrfHeaders = ['authorization', 'x-graphql-yoga-csrf', 'apollo-require-preflight', 'x-apollo-operation-name']

/** Checks a request before yoga reads it. */
export function requestChecks(maxBodyBytes: number): readonly Plugin[] {
  return [jsonOnly(), csrfPrevention(), searchParams(), bodyLimits(maxBodyBytes)]
}

/** Other body formats are what cross-site pages can send, and no client needs them. */
function jsonOnly(): Plugin {
  return {
    onRequestParse({ request: { method, headers } }) {
      if (method !== 'POST' || isJson(headers.get('content-type'), headers.get('content-encoding'))) return
      const fix = 'Send the body as "Content-Type: application/json", in UTF-8, and without a Content-Encoding.'
      throw httpError('UNSUPPORTED_MEDIA_TYPE', 415, fix)
    },
  }
}

/** Yoga's own check, with a message that says which header is missing. */
function csrfPrevention(): Plugin {
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

/** Reads the parameters of a `GET`: yoga treats malformed JSON there as a bug, and does not read `documentId`. */
function searchParams(): Plugin {
  return {
    onRequestParse({ request, url, setRequestParser }) {
      if (request.method === 'GET') setRequestParser(() => paramsOf(url.searchParams))
    },
  }
}

function paramsOf(search: URLSearchParams): GraphQLParams {
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

/** Rejects JSON with too many tokens before yoga parses it. Yoga checks the length. */
function bodyLimits(maxBodyBytes: number): Plugin {
  return {
    onRequestParse({ request, requestParser: parse, setRequestParser, fetchAPI: { Request } }) {
      // Without a body here, another body parser has read it.
      if (request.method !== 'POST' || !request.body || !parse) return
      setRequestParser(async (limited) => {
        // As text, which exists even if another body parser, such as Express's, has read the bytes.
        const body = await limited.text()
        const scan = createJsonScan()
        if (!scan.add(Buffer.from(body))) throw excessError(scan.excess, maxBodyBytes)
        return parse(new Request(limited.url, { method: 'POST', headers: limited.headers, body }))
      })
    },
  }
}
