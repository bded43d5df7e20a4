import type { IncomingMessage } from 'node:http'
import { FairleadError, refreshLifeMs, type Success } from '@fairlead/core'
import type { Route } from './routes.ts'

/** As long as a refresh token is good. */
/** More fields than any operation of sessions has; copying tens of thousands would block the event loop. */
const maxFields = 100
const maxAgeSeconds = refreshLifeMs / 1000

/**
 * The cookie mode of browsers: the refresh token stands in a cookie that no script can read, instead of in bodies. Core
 * knows only the token.
 */
export interface SessionCookie {
  readonly name: string
  /** What core is asked, out of what was sent. */
  take(request: IncomingMessage, session: SessionStep, body: Readonly<Record<string, unknown>>): Taken
  /** The answer without the refresh token, and the header that puts it into the cookie. */
  give(reply: Success<unknown>): { readonly reply: Success<unknown>; readonly setCookie: string }
  /** The header that takes the cookie away. */
  readonly clear: string
}

export type SessionStep = NonNullable<Route['session']>

export interface Taken {
  readonly body: Readonly<Record<string, unknown>>
  /** Whether the refresh token came in the cookie. */
  readonly fromCookie: boolean
  /** Whether the next one is to go into the cookie. */
  readonly intoCookie: boolean
}

/** @param baseUrl where the outside reaches the service; over plain http on loopback, browsers keep no `Secure` cookie */
export function sessionCookie(baseUrl: string | undefined): SessionCookie {
  const home = baseUrl === undefined ? null : URL.parse(baseUrl)
  const plain = home?.protocol === 'http:' && isLoopback(home.hostname)
  // The prefix keeps other hosts of the domain from setting it (RFC 6265bis, 4.1.3.2).
  const name = plain ? 'fairlead_session' : '__Host-fairlead_session'
  const attributes = `Path=/; HttpOnly; SameSite=Strict${plain ? '' : '; Secure'}`

  return {
    name,
    take(request, session, sent) {
      // So many fields are rejected, whichever they are: the error names them better than this would.
      if (Object.keys(sent).length > maxFields) return { body: sent, fromCookie: false, intoCookie: false }
      const { session: mode, ...body } = sent
      if (mode !== undefined && (mode !== 'cookie' || session === 'ends')) throw wrongMode(session)
      const asked = mode === 'cookie'
      const token = session === 'begins' || 'refresh_token' in body ? undefined : readCookie(request, name)
      if (token === undefined) return { body, fromCookie: false, intoCookie: asked }
      if (!isSameOrigin(request, home?.origin)) {
        throw new FairleadError('FORBIDDEN', 'The session’s cookie counts in requests of its own site alone.')
      }
      return { body: { ...body, refresh_token: token }, fromCookie: true, intoCookie: true }
    },
    give(reply) {
      const { refreshToken, ...data } = reply.data as { readonly refreshToken: string }
      return {
        reply: { ...reply, data },
        setCookie: `${name}=${refreshToken}; Max-Age=${maxAgeSeconds}; ${attributes}`,
      }
    },
    clear: `${name}=; Max-Age=0; ${attributes}`,
  }
}

function wrongMode(session: SessionStep): FairleadError {
  const issue = session === 'ends' ? 'is not a known field' : 'must be "cookie", or left out'
  return new FairleadError('INVALID_REQUEST', `session ${issue}`, { issues: [{ field: 'session', issue }] })
}

function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim()) ?? []
  const found = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  return found === '' ? undefined : found
}

/** Browsers say where a request comes from, and no page can make them lie (Fetch Metadata; RFC 6454, 7). */
function isSameOrigin({ headers }: IncomingMessage, home: string | undefined): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? home !== undefined && headers.origin === home : site === 'same-origin'
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
