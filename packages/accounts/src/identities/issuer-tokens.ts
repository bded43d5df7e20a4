import type { ProjectRole, Role, Tier } from '@fairlead/core/stores'
import type { Keyring, Log } from '@fairlead/core'
import { keyringCipher } from '@fairlead/core/feature'

/** The rights that an identity gives its user, such as by groups. Undefined fields stay as they are. */
export interface IdentityGrants {
  readonly role?: Role | undefined
  readonly tier?: Tier | undefined
  /** The role in a project; null for none. */
  readonly projects?: readonly { readonly projectId: string; readonly role: ProjectRole | null }[] | undefined
}

/** The data that a session keeps about its issuer. */
export interface IssuerToken {
  readonly issuer: string
  readonly subject: string
  /** A token that confirms the session, such as the refresh token of an OpenID Connect provider. */
  readonly token: string
}

/** The issuer's answer when it confirms a session. Absent fields keep their value. */
export interface ConfirmedIdentity extends IdentityGrants {
  /** The token of the next time. Default: the same. */
  readonly token?: string | undefined
}

/**
 * Asks the issuer of an identity whether its user may continue a session. Resolves to undefined if not. Rejects if the issuer
 * does not respond.
 */
export type ConfirmIdentity = (identity: IssuerToken, signal: AbortSignal) => Promise<ConfirmedIdentity | undefined>

export type IssuerTokens = ReturnType<typeof createIssuerTokens>

/** The tokens of issuers, encrypted at rest. */
export function createIssuerTokens(keyring: Pick<Keyring, 'macs'>, log: Pick<Log, 'warn'>) {
  const cipher = keyringCipher(keyring)
  const context = (sessionId: string) => `issuer token ${sessionId}`
  return {
    seal: (token: IssuerToken, sessionId: string) => cipher.seal(JSON.stringify(token), context(sessionId)),
    /** Undefined, and logged, if this process does not have the secret key that encrypted it. */
    open(sealed: string, sessionId: string): IssuerToken | undefined {
      const text = cipher.open(sealed, context(sessionId))
      if (text === undefined)
        log.warn({ sessionId }, 'the secret keys of this node cannot decrypt the issuer token of a session')
      return text === undefined ? undefined : (JSON.parse(text) as IssuerToken)
    },
  }
}
