import type { StaticDocument } from '@fairlead/http'
import type { Page } from '@fairlead/rest-adapter'

/**
 * Responds with a document that stays the same. It is loaded on the first request: most services never get one.
 *
 * @param headers their `Cache-Control` should contain `no-transform`, because the document is compressed already
 */
export function staticPage(
  headers: Readonly<Record<string, string>>,
  load: () => StaticDocument | Promise<StaticDocument>,
): Page['respond'] {
  let loading: Promise<StaticDocument> | undefined
  return async ({ request }) => {
    const document = await (loading ??= Promise.resolve(load()))
    const response = await document.respond(request.headers)
    return { ...response, headers: { ...response.headers, ...headers } }
  }
}

/** The documented responses of a page for browsers. */
export const htmlResponses = {
  200: { description: 'An HTML page.', content: { 'text/html': { schema: { type: 'string' } } } },
} as const

/** A `Content-Security-Policy` for a page that loads everything from this server. */
export function contentPolicy(others: Readonly<Record<string, string>> = {}): string {
  const directives = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...others,
  }
  return Object.entries(directives)
    .map((directive) => directive.join(' '))
    .join('; ')
}
