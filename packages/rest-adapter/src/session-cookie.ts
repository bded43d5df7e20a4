import { FairleadError, type Success } from '@fairlead/core'
import { type Fields, type HttpRequest, invalid } from '@fairlead/http'
import type { Route } from './routes.ts'
import { serviceCookie } from './service-cookie.ts'

/** More fields than any operation of sessions has; copying tens of thousands would block the event loop. */
const maxFields = 100
/** 30 days, as long as a refresh token is valid. */
const maxAgeSeconds = 30 * 24 * 3600

/**
 * The cookie with the secret of a browser whose user signs in elsewhere, which `POST /auth/exchange` takes. `Strict` cookies
 * are not sent with the redirect from there.
 */
export function signInCookie(baseUrl: string | undefined) {
  return serviceCookie(baseUrl, { name: 'fairlead_oidc', sameSite: 'Lax' })
}

export type SessionStep = NonNullable<Route['session']>

interface SessionRoute {
  readonly session: SessionStep
  /** Whether the operation takes the secret of the browser. Default: false. */
  readonly browser?: boolean | undefined
}

export type SessionCookie = ReturnType<typeof sessionCookie>
export type SessionInput = ReturnType<SessionCookie['read']>

/**
 * The cookie mode for browsers: the refresh token is in a cookie that scripts cannot read, instead of in bodies. Core knows
 * only the token.
 *
 * @param baseUrl the public address of the service
 */
export function sessionCookie(baseUrl: string | undefined) {
  const home = baseUrl === undefined ? null : URL.parse(baseUrl)
  const cookie = serviceCookie(baseUrl, { name: 'fairlead_session', sameSite: 'Strict' })
  const ofBrowser = signInCookie(baseUrl)

  return {
    name: cookie.name,
    /**
     * Reads the input of the operation from the body and the cookie: whether the refresh token came in the cookie, and
     * whether the next one goes there.
     */
    read(request: HttpRequest, { session, browser = false }: SessionRoute, sent: Fields) {
      // Core rejects so many fields, and names them in the error.
      if (Object.keys(sent).length > maxFields) return { body: sent, fromCookie: false, intoCookie: false }
      const { session: mode, ...rest } = sent
      const kept = browser && !('browser' in rest) ? ofBrowser.read(request) : undefined
      // While the sign-in has not ended, the cookie keeps something else.
      const secret = kept !== undefined && /^[\w-]{43}$/.test(kept) ? kept : undefined
      const body = secret === undefined ? rest : { ...rest, browser: secret }
      if (mode !== undefined && (mode !== 'cookie' || session === 'ends')) throw wrongMode(session)
      const asked = mode === 'cookie'
      const token = session === 'begins' || 'refresh_token' in body ? undefined : cookie.read(request)
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
        setCookie: cookie.set(refreshToken, maxAgeSeconds),
      }
    },
    /** The header that removes the cookie. */
    clear: cookie.clear,
  }
}

function wrongMode(session: SessionStep): FairleadError {
  return invalid('session', session === 'ends' ? 'is not a known field' : 'must be "cookie", or left out')
}

/** Browsers set these headers, and no page can change them (Fetch Metadata; RFC 6454, 7). */
function isSameOrigin({ headers }: HttpRequest, home: string | undefined): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? home !== undefined && headers.origin === home : site === 'same-origin'
}
