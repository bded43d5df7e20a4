import type { PasskeyRow, PasskeyCeremonies } from '@fairlead/accounts'
import { parseAssertion, parseAttestation } from './responses.ts'

export interface WebAuthnPasskeysOptions {
  /** The name of the service, which browsers and authenticators show. Default: `Fairlead`. */
  readonly name?: string | undefined
  /**
   * The origins of the pages that use passkeys, such as `https://ai.example.com`. Passkeys belong to the host name of the
   * first one, which the others may only extend, and are lost if it changes. Browsers require https, except for `localhost`.
   */
  readonly origins: readonly [string, ...string[]]
}

/** In the order of preference: ES256, EdDSA, and RS256 for Windows. */
const algorithms = [-7, -8, -257]
const timeoutMs = 5 * 60_000

/** The library takes a second to load, and most processes need none of it for hours. */
const library = () => import('@simplewebauthn/server')

/** Passkeys by WebAuthn, without attestation: any authenticator is accepted, and none is identified. */
export function webAuthnPasskeys({ name = 'Fairlead', origins }: WebAuthnPasskeysOptions): PasskeyCeremonies {
  const rpID = relyingPartyOf(origins)
  return {
    async registrationOptions({ challenge, user, known }) {
      const { generateRegistrationOptions } = await library()
      const options = await generateRegistrationOptions({
        rpName: name,
        rpID,
        challenge: bytesOf(challenge),
        userID: handleOf(user.id),
        userName: user.email,
        userDisplayName: user.name,
        timeout: timeoutMs,
        attestationType: 'none',
        excludeCredentials: known.map(toDescriptor),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
        supportedAlgorithmIDs: algorithms,
      })
      return { ...options }
    },
    async checkRegistration(response, challenge) {
      const parsed = await parseAttestation(response)
      if (!parsed) return undefined
      const { verifyRegistrationResponse } = await library()
      const { registrationInfo } = await unlessRefused(() =>
        verifyRegistrationResponse({
          response: parsed,
          expectedChallenge: challenge,
          expectedOrigin: [...origins],
          expectedRPID: rpID,
          requireUserVerification: false,
          supportedAlgorithmIDs: algorithms,
        }),
      )
      if (!registrationInfo) return undefined
      const { credential, credentialBackedUp } = registrationInfo
      return {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: parsed.response.transports ?? [],
        isBackedUp: credentialBackedUp,
      }
    },
    async signInOptions({ challenge, known }) {
      const { generateAuthenticationOptions } = await library()
      const options = await generateAuthenticationOptions({
        rpID,
        challenge: bytesOf(challenge),
        timeout: timeoutMs,
        ...(known && { allowCredentials: known.map(toDescriptor) }),
        userVerification: known ? 'preferred' : 'required',
      })
      return { ...options }
    },
    async checkSignIn(response, { challenge, passkey, verifiesUser }) {
      const parsed = parseAssertion(response)
      if (!parsed || parsed.id !== passkey.credentialId) return undefined
      const { userHandle } = parsed.response
      // Without a password, only the handle says whose account the authenticator means.
      const isTheirs = userHandle ? userHandle === encoded(handleOf(passkey.userId)) : !verifiesUser
      if (!isTheirs) return undefined
      const { verifyAuthenticationResponse } = await library()
      const { verified, authenticationInfo } = await unlessRefused(() =>
        verifyAuthenticationResponse({
          response: parsed,
          expectedChallenge: challenge,
          expectedOrigin: [...origins],
          expectedRPID: rpID,
          requireUserVerification: verifiesUser,
          credential: {
            id: passkey.credentialId,
            publicKey: bytesOf(passkey.publicKey),
            counter: passkey.counter,
          },
        }),
      )
      if (!verified || !authenticationInfo) return undefined
      return { counter: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp }
    },
  }
}

/** Throws a `TypeError` for origins that no browser accepts. */
function relyingPartyOf(origins: readonly [string, ...string[]]): string {
  const urls = origins.map((origin) => {
    const url = URL.parse(origin)
    if (url?.origin !== origin) throw new TypeError(`"${origin}" is no origin, such as https://ai.example.com`)
    const isLocal = url.hostname === 'localhost' || url.hostname.endsWith('.localhost')
    if (url.protocol !== 'https:' && !isLocal) throw new TypeError(`"${origin}" must begin with https for passkeys`)
    return url
  })
  const { hostname = '' } = urls[0] ?? {}
  if (/^[\d.]+$|:/.test(hostname)) throw new TypeError(`"${hostname}" must be a host name for passkeys`)
  const foreign = urls.find((url) => url.hostname !== hostname && !url.hostname.endsWith(`.${hostname}`))
  if (foreign) throw new TypeError(`"${foreign.origin}" must have the host name ${hostname}, or one below it`)
  return hostname
}

/** The library throws for what it does not accept. What it says is for nobody: one answer hides what was wrong. */
async function unlessRefused<Checked extends { readonly verified: boolean }>(
  check: () => Promise<Checked>,
): Promise<
  Checked | { readonly verified: false; readonly registrationInfo?: never; readonly authenticationInfo?: never }
> {
  try {
    return await check()
  } catch {
    return { verified: false }
  }
}

function toDescriptor({ credentialId, transports }: PasskeyRow) {
  return { id: credentialId, transports: [...transports] as never[] }
}

function handleOf(userId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(userId))
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}

function encoded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
