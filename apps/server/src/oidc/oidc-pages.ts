import { randomBytes } from 'node:crypto'
import { FairleadError, type InputOf, type Log, type Operation, type SecretKeys } from '@fairlead/core'
import { accountOperations } from '@fairlead/accounts'
import { type FairleadCore } from '@fairlead/core/adapter'
import { createKeyring, keyringCipher } from '@fairlead/core/feature'
import { type Exchange, type Page, type PageDescription, type PageResponse, signInCookie } from '@fairlead/rest-adapter'
import { dashboardPath, tokenLink } from '../dashboard.ts'
import { readIdentity } from './identity.ts'
import { callbackPath, type FindIssuer } from './find-issuer.ts'
import type { SignInChecks } from './issuer.ts'
import { toRefusal, SignInRefusal } from './refusals.ts'
import { type OidcSettings, oidcStartPath } from './settings.ts'

/** How long a person may take at the provider. */
const signInMs = 10 * 60_000
/** As long as the token is valid. */
const exchangeMs = 15 * 60_000
const maxLogoutBytes = 65_536

/** A sign-in that has begun, as the cookie of the browser has it. */
interface PendingSignIn extends SignInChecks {
  /** The page of the dashboard to show then. */
  readonly page: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

export interface OidcPagesOptions {
  readonly settings: OidcSettings
  readonly baseUrl: string
  readonly core: FairleadCore
  readonly secretKeys: SecretKeys
  readonly findIssuer: FindIssuer
  readonly log: Pick<Log, 'warn'>
}

/**
 * Signs people in with an OpenID Connect provider: the authorization code flow with PKCE. What the flow must remember is in
 * an encrypted cookie. The provider is asked when a user first signs in, so that the service starts without it.
 */
export function oidcPages({ settings, baseUrl, core, secretKeys, findIssuer, log }: OidcPagesOptions): readonly Page[] {
  const cipher = keyringCipher(createKeyring(secretKeys))
  const cookie = signInCookie(baseUrl)
  const home = new URL(baseUrl + dashboardPath).href

  const start: Page['respond'] = async (exchange) => {
    const page = toPage(new URLSearchParams(exchange.request.search).get('next'), home)
    try {
      const { url, checks } = await (await findIssuer()).begin()
      const pending: PendingSignIn = { ...checks, page, expiresAt: exchange.at + signInMs }
      return redirect(url, cookie.set(cipher.seal(JSON.stringify(pending), cookieContext), signInMs / 1000))
    } catch (error) {
      return refuse(error, exchange, page)
    }
  }

  const callback: Page['respond'] = async (exchange) => {
    const pending = readPending(exchange)
    try {
      const { search } = exchange.request
      // The library compares them, too. Here it means that another tab has begun a sign-in since.
      if (!pending || new URLSearchParams(search).get('state') !== pending.state) {
        throw new SignInRefusal('expired', 'the browser has no cookie of this sign-in')
      }
      const { claims, refreshToken: issuerToken } = await (await findIssuer()).finish(search, pending)
      // In the same cookie: the token at the end of the address is worth nothing in another browser.
      const browser = randomBytes(32).toString('base64url')
      const identity = { ...readIdentity(claims, settings), browser, ...(issuerToken !== undefined && { issuerToken }) }
      const reply = await asProgram(exchange, accountOperations.signInWithIdentity, identity)
      if (!reply.success) throw toRefusal(reply)
      return redirect(
        tokenLink(`${home}${pending.page}`, 'sign-in', reply.data.token),
        cookie.set(browser, exchangeMs / 1000),
      )
    } catch (error) {
      return refuse(error, exchange, pending?.page)
    }
  }

  const logout: Page['respond'] = async (exchange) => {
    const body = await exchange.readBody(maxLogoutBytes)
    const token = new URLSearchParams(Buffer.from(body ?? []).toString()).get('logout_token')
    const claims = token === null ? undefined : await readLogoutToken(token)
    if (!claims) throw new FairleadError('INVALID_REQUEST', 'The logout token is missing or not valid.')
    const reply = await asProgram(exchange, accountOperations.endIdentitySessions, claims)
    if (reply.success) return { status: 200, headers: noStore }
    if (reply.error.code !== 'CONFLICT') return reply
    throw new FairleadError('INVALID_REQUEST', reply.error.message)
  }

  async function readLogoutToken(token: string) {
    try {
      return await (await findIssuer()).readLogoutToken(token)
    } catch (error) {
      const message = 'The OpenID Connect provider does not respond.'
      throw new FairleadError('SERVICE_UNAVAILABLE', message, { retryAfterMs: 5_000, cause: error })
    }
  }

  const asProgram = <Op extends Operation>({ requestId, address }: Exchange, operation: Op, input: InputOf<Op>) =>
    core.run(operation, { kind: 'embedded' }, input, { requestId, address })

  function readPending(exchange: Exchange): PendingSignIn | undefined {
    const text = cipher.open(cookie.read(exchange.request) ?? '', cookieContext)
    const pending = text === undefined ? undefined : (JSON.parse(text) as PendingSignIn)
    return pending && exchange.at < pending.expiresAt ? pending : undefined
  }

  /** Back to the log-in page, which has a sentence for the code. */
  function refuse(error: unknown, { requestId }: Exchange, page = ''): PageResponse {
    const { code, message } = error instanceof SignInRefusal ? error : new SignInRefusal('failed', String(error))
    if (code !== 'cancelled' && code !== 'expired') log.warn({ requestId, code, reason: message }, 'sign-in refused')
    const next = page === '' ? '' : `&next=${encodeURIComponent(page)}`
    return redirect(`${home}/login?sso=${code}${next}`, cookie.clear)
  }

  return [
    { path: oidcStartPath, description: startDescription, respond: start },
    { path: callbackPath, description: callbackDescription, respond: callback },
    { path: '/auth/oidc/backchannel-logout', method: 'POST', respond: logout },
  ]
}

const startDescription: PageDescription = {
  operationId: 'oidcStart',
  summary: 'Sends a browser to the OpenID Connect provider, to sign in.',
  description: 'Needs no credential. Free of charge.',
  parameters: [
    {
      name: 'next',
      in: 'query',
      description: 'The page of the dashboard to show then, such as `/api-keys`. Default: its first page.',
      schema: { type: 'string' },
    },
  ],
  responses: { 302: { description: 'The provider, or the log-in page with the reason for which it cannot be used.' } },
}

const callbackDescription: PageDescription = {
  operationId: 'oidcCallback',
  summary: 'Signs in a person who comes back from the OpenID Connect provider.',
  description: 'The provider sends browsers there. Needs no credential. Free of charge.',
  responses: {
    302: { description: 'The dashboard, with a session, or its log-in page with the reason for a refusal.' },
  },
}

const cookieContext = 'oidc sign-in'
const noStore = { 'Cache-Control': 'no-store' }

function redirect(location: string, setCookie: string): PageResponse {
  return { status: 302, headers: { ...noStore, Location: location, 'Set-Cookie': setCookie } }
}

/** The path below the dashboard, with a query; empty for its first page. Anything that leads elsewhere counts as that. */
function toPage(next: string | null, home: string): string {
  const url = next?.startsWith('/') ? URL.parse(home + next) : null
  if (!url?.href.startsWith(`${home}/`) || next === '/') return ''
  return url.href.slice(home.length, -url.hash.length || undefined)
}
