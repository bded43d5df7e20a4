import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importJWK, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'
import { onTestFinished, vi } from 'vitest'

/** Somebody at the provider, and the claims that it sends. */
export interface Person {
  readonly sub: string
  readonly [claim: string]: unknown
}

const client = { id: 'fairlead', secret: 'CANARY-client secret' }
const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })

/** The settings of a service that signs in with the provider. */
export const clientSettings = {
  FAIRLEAD_OIDC_CLIENT_ID: client.id,
  FAIRLEAD_OIDC_CLIENT_SECRET: client.secret,
}

/**
 * The issuer of a provider that does not respond before `open()`. It asks for no password: the person who signs in is set
 * before. `nobody` cancels.
 */
export async function oidcProvider() {
  // It warns of what tests need, such as its adapter in memory.
  const warnings = vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => warnings.mockRestore())
  let person: Person | 'nobody' = 'nobody'
  const issued = { refreshTokens: true }
  let listener: RequestListener | undefined
  const server = createServer((request, response) => {
    if (listener) listener(request, response)
    else response.writeHead(503).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let provider: Provider | undefined

  /** The sessions of people who signed in, the newest last. */
  const sessions: string[] = []
  const logoutTokens: string[] = []

  /**
   * Sends a logout token to the service, as when a person logs out, and returns it. Rejects if the service does not accept it.
   *
   * @param session default: all sessions of the person
   */
  async function logOut(sub: string, session?: string, clientId = client.id): Promise<string> {
    const found = (await provider?.Client.find(clientId)) as unknown as LogoutClient
    found.backchannelLogoutSessionRequired = session !== undefined
    await found.backchannelLogout(sub, session)
    return logoutTokens.at(-1) ?? ''
  }

  return {
    issuer,
    /** Whether a sign-in gives a refresh token. */
    issued,
    signInAs: (next: Person | 'nobody') => void (person = next),
    sessions,
    logOut,
    /**
     * A logout token that the provider signed, with these claims in place of the usual ones. Undefined ones are left
     * out.
     */
    async logoutToken(claims: Readonly<Record<string, unknown>> = {}): Promise<string> {
      const own = { iss: issuer, aud: client.id, iat: Math.floor(Date.now() / 1000), jti: randomUUID(), sub: 'ada' }
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      return new SignJWT({ ...own, events, ...claims })
        .setProtectedHeader({ alg: 'RS256' })
        .sign(await importJWK(jwk, 'RS256'))
    },
    close: () => void (listener = undefined),
    /** Responds from now on, with the service as its client. */
    open(serviceUrl: string) {
      provider = createProvider(issuer, serviceUrl, { person: () => person, logoutTokens, issued })
      provider.on('grant.success', ({ oidc }) => sessions.push(oidc.entities.AuthorizationCode?.sid ?? ''))
      const answer = provider.callback()
      listener = (request, response) => {
        if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
        const result =
          person !== 'nobody'
            ? { login: { accountId: person.sub } }
            : { error: 'access_denied', error_description: 'cancelled' }
        void provider?.interactionFinished(request, response, result)
      }
    },
  }
}

/** The types of the package lack it. */
interface LogoutClient {
  backchannelLogoutSessionRequired: boolean
  backchannelLogout(sub: string, sid: string | undefined): Promise<void>
}

function createProvider(
  issuer: string,
  serviceUrl: string,
  {
    person,
    logoutTokens,
    issued,
  }: {
    person(): Person | 'nobody'
    readonly logoutTokens: string[]
    readonly issued: { readonly refreshTokens: boolean }
  },
): Provider {
  const registered = {
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [`${serviceUrl}/auth/oidc/callback`],
    backchannel_logout_uri: `${serviceUrl}/auth/oidc/backchannel-logout`,
    token_endpoint_auth_method: 'client_secret_post',
  } as const
  return new Provider(issuer, {
    clients: [
      { ...registered, client_id: client.id, client_secret: client.secret, backchannel_logout_session_required: true },
      { ...registered, client_id: 'another service', client_secret: client.secret },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of the tests'] },
    issueRefreshToken: async () => issued.refreshTokens,
    rotateRefreshToken: true,
    jwks: { keys: [{ ...jwk, use: 'sig' }] },
    // Without the check that an address is public.
    fetch(url, options) {
      const token = new URLSearchParams(String(options?.body)).get('logout_token')
      if (token !== null) logoutTokens.push(token)
      return fetch(url, { ...options, dispatcher: undefined } as RequestInit)
    },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...Object(person()), sub }) }),
    // Nobody is asked for consent.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
}
