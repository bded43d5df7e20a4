import { useCSRFPrevention } from '@graphql-yoga/plugin-csrf-prevention'
import type { Plugin } from 'graphql-yoga'
import { httpError } from './http-error.ts'
import { isJson } from './plain-post.ts'

/** Headers that no page of another site can have a browser send without asking us first; one of them must be there. */
const unforgeable = ['authorization', 'x-graphql-yoga-csrf', 'apollo-require-preflight', 'x-apollo-operation-name']

/** The library's check, refusing in words that say what is missing. */
export function ownPagesAlone(): Plugin {
  const { onRequestParse } = useCSRFPrevention({ requestHeaders: unforgeable })
  return {
    onRequestParse(payload) {
      try {
        return onRequestParse?.(payload)
      } catch {
        const mend = 'Send an "Authorization" header, or "X-GraphQL-Yoga-CSRF: 1"'
        throw httpError('FORBIDDEN', 403, `${mend}: without either, any page could have a browser ask this.`)
      }
    },
  }
}

/** Other forms of a body are what pages of other sites could send; and nobody else needs them. */
export function jsonAlone(): Plugin {
  return {
    onRequestParse({ request }) {
      const { method, headers } = request
      if (method !== 'POST' || isJson(headers.get('content-type'), headers.get('content-encoding'))) return
      const mend = 'Send the body as "Content-Type: application/json", in UTF-8, and without a Content-Encoding.'
      throw httpError('UNSUPPORTED_MEDIA_TYPE', 415, mend)
    },
  }
}
