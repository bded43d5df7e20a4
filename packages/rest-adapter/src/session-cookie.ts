import { FairleadError, type Success } from '@fairlead/core'
import { refreshLifeMs } from '@fairlead/core/adapter'
import { type Fields, type HttpRequest, invalid } from '@fairlead/http'
import { publicPathOf } from './public-path.ts'
import type { Route } from './routes.ts'

/** More fields than any operation of sessions has; copying tens of thousands would block the event loop. */
const maxFields = 100
/** As long as a refresh token is valid. */
const maxAgeSeconds = refreshLifeMs / 1000

export type SessionStep = NonNullable<Route['session']>

export type SessionCookie = ReturnType<typeof sessionCookie>
export type SessionInput = ReturnType<SessionCookie['read']>

/**
 * The cookie mode for browsers: the refresh token is in a cookie that scripts cannot read, instead of in bodies. Core knows
 * only the token.
 *
 * @param baseUrl the public address of the service; over plain http on loopback, browsers keep no `Secure` cookie. If it has
 *   a path, browsers send the cookie only there, and not to other services of the host.
 */
export function sessionCookie(baseUrl: string | undefined) {
  const home = baseUrl === undefined ? null : URL.parse(baseUrl)
  const plain = home?.protocol === 'http:' && isLoopback(home.hostname)
  const path = publicPathOf(baseUrl)('') || '/'
  // The prefix keeps other hosts of the domain from setting it, but does not allow a path (RFC 6265bis, 4.1.3.2).
  const prefix = path === '/' ? '__Host-' : '__Secure-'
  const name = plain ? 'fairlead_session' : `${prefix}fairlead_session`
  const attributes = `Path=${path}; HttpOnly; SameSite=Strict${plain ? '' : '; Secure'}`

  return {
    name,
    /**
     * Reads the input of the operation from the body and the cookie: whether the refresh token came in the cookie, and
     * whether the next one goes there.
     */
    read(request: HttpRequest, session: SessionStep, sent: Fields) {
      // Core rejects so many fields, and names them in the error.
      if (Object.keys(sent).length > maxFields) return { body: sent, fromCookie: false, intoCookie: false }
      const { session: mode, ...body } = sent
      if (mode !== undefined && (mode !== 'cookie' || session === 'ends')) throw wrongMode(session)
      const asked = mode === 'cookie'
      const token = session === 'begins' || 'refresh_token' in body ? undefined : readCookie(request, name)
      if (token === undefined) return { body, fromCookie: false, intoCookie: asked }
      if (!isSameOrigin(request, home?.origin)) {
        throw new FairleadError('FORBIDDEN', 'The session cookie is accepted only from pages of this site.')
      }
      return { body: { ...body, refresh_token: token }, fromCookie: true, intoCookie: true }
    },
    /** The reply without the refresh token, and the header that puts it into the cookie. */
    keep(reply: Success<unknown>) {
      const { refreshToken, ...data } = reply.data as { readonly refreshToken: string }
      return {
        reply: { ...reply, data },
        setCookie: `${name}=${refreshToken}; Max-Age=${maxAgeSeconds}; ${attributes}`,
      }
    },
    /** The header that removes the cookie. */
    clear: `${name}=; Max-Age=0; ${attributes}`,
  }
}

function wrongMode(session: SessionStep): FairleadError {
  return invalid('session', session === 'ends' ? 'is not a known field' : 'must be "cookie", or left out')
}

function readCookie({ headers }: HttpRequest, name: string): string | undefined {
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim()) ?? []
  const found = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  return found === '' ? undefined : found
}

/** Browsers set these headers, and no page can change them (Fetch Metadata; RFC 6454, 7). */
function isSameOrigin({ headers }: HttpRequest, home: string | undefined): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? home !== undefined && headers.origin === home : site === 'same-origin'
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
