import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { type Claims, completed, isIncomplete } from './identity.ts'
import { SignInRefusal } from './refusals.ts'
import type { OidcSettings } from './settings.ts'

/** How long the provider may take to answer, in seconds. */
const timeoutSeconds = 10

/** The values that a sign-in must end with. They stay in the browser that began it. */
export interface SignInChecks {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** The provider's statements about a person. */
export interface IssuerReply {
  readonly claims: Claims
  /** Undefined if the provider gives none. */
  readonly refreshToken: string | undefined
}

interface RefreshedReply {
  readonly claims: Claims | undefined
  readonly refreshToken: string | undefined
}

export interface LogoutToken {
  readonly issuer: string
  readonly tokenId: string
  readonly subject?: string
  readonly issuerSession?: string
}

export type Issuer = Awaited<ReturnType<typeof discoverIssuer>>

/** Loads the metadata of the provider. Rejects if it does not respond, or is not the issuer. */
export async function discoverIssuer(settings: OidcSettings, redirectUri: string) {
  const { issuer, clientId, clientSecret, scopes } = settings
  const configuration = await oidc.discovery(new URL(issuer), clientId, undefined, authentication(clientSecret), {
    timeout: timeoutSeconds,
    execute: [
      oidc.enableNonRepudiationChecks,
      // The settings allow it only for a provider on this machine.
      ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
    ],
  })
  const metadata = configuration.serverMetadata()
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri ?? issuer), { timeoutDuration: timeoutSeconds * 1000 })

  /** The claims of the ID token, and what it lacks from the userinfo endpoint. */
  async function complete(claims: Claims, accessToken: string): Promise<Claims> {
    if (!metadata.userinfo_endpoint || !isIncomplete(claims, settings)) return claims
    return completed(claims, await oidc.fetchUserInfo(configuration, accessToken, claims.sub))
  }

  return {
    /** The issuer of its ID tokens. */
    name: metadata.issuer,

    /** The address of the provider that begins a sign-in, and what it must end with. */
    async begin(): Promise<{ readonly url: string; readonly checks: SignInChecks }> {
      const checks = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      }
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopes,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(checks.codeVerifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, checks }
    },

    /** The provider's statements about the person who comes back. Rejects with `SignInRefusal`. */
    async finish(search: string, { state, nonce, codeVerifier }: SignInChecks): Promise<IssuerReply> {
      try {
        const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${search}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        const claims = await complete({ ...tokens.claims()! }, tokens.access_token)
        return { claims, refreshToken: tokens.refresh_token }
      } catch (error) {
        throw toRefusal(error)
      }
    },

    /**
     * The provider's current statements about the person. Without claims if it only says that they may go on. Undefined
     * if they may not. Rejects if it does not respond.
     */
    async refresh(token: string, subject: string): Promise<RefreshedReply | undefined> {
      try {
        const tokens = await oidc.refreshTokenGrant(configuration, token)
        const claims = tokens.claims()
        if (claims && claims.sub !== subject) return undefined
        const refreshToken = tokens.refresh_token
        if (!claims && !metadata.userinfo_endpoint) return { claims: undefined, refreshToken }
        const known: Claims = { iss: metadata.issuer, sub: subject, ...claims }
        return { claims: await complete(known, tokens.access_token), refreshToken }
      } catch (error) {
        if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') return undefined
        throw error
      }
    },

    /** The claims of a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6). Undefined if it is not valid. */
    async readLogoutToken(token: string): Promise<LogoutToken | undefined> {
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer: metadata.issuer,
          audience: clientId,
          requiredClaims: ['iat', 'jti', 'events'],
          maxTokenAge: maxLogoutTokenAge,
          clockTolerance: 60,
        })
        const { iss = '', jti = '', sub, sid, events } = payload
        if (!isLogoutEvent(events) || 'nonce' in payload || jti === '') return undefined
        if (sub === undefined && typeof sid !== 'string') return undefined
        return {
          issuer: iss,
          tokenId: jti,
          ...(sub !== undefined && { subject: sub }),
          ...(typeof sid === 'string' && { issuerSession: sid }),
        }
      } catch (error) {
        if (isInvalidToken(error)) return undefined
        throw error
      }
    },
  }
}

/** Whether the claim is an object with the event of a logout alone, whose value is an object (2.4). */
function isLogoutEvent(events: unknown): boolean {
  return isObject(events) && Object.keys(events).join() === logoutEvent && isObject(events[logoutEvent])
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
/** Core knows used tokens for an hour. */
const maxLogoutTokenAge = '10 minutes'

/** The form that all providers know is the one in the body, unless they say otherwise. */
function authentication(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None()
  const [inBody, inHeader] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)]
  return (server, ...others) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
    return (methods.includes('client_secret_post') ? inBody : inHeader)(server, ...others)
  }
}

function toRefusal(error: unknown): SignInRefusal {
  if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied') {
    return new SignInRefusal('cancelled', 'the person did not agree, or the provider denied access', { cause: error })
  }
  // `fetch` rejects with a `TypeError` if it cannot connect.
  const isAway = error instanceof TypeError || (error instanceof oidc.ClientError && error.code === 'OAUTH_TIMEOUT')
  return new SignInRefusal(isAway ? 'unavailable' : 'failed', explain(error), { cause: error })
}

/** The reason without tokens and claims, which the causes of the library's errors contain. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const details = error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError
  const causes = details
    ? [error.error, error.error_description]
    : [error.cause instanceof Error ? error.cause.message : undefined]
  return [error.message, ...causes].filter((text) => text !== undefined && text !== '').join(': ')
}

function isInvalidToken(error: unknown): boolean {
  return (
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported
  )
}
