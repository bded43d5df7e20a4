import type { Config } from '../config.ts'
import type { GroupGrant } from './groups.ts'

/** The path that begins a sign-in. */
export const oidcStartPath = '/auth/oidc/start'

/** How people sign in with an OpenID Connect provider. */
export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  /** Undefined for a public client, which only has PKCE. */
  readonly clientSecret: string | undefined
  /** The name of the provider for people. */
  readonly name: string
  /** Separated by spaces. */
  readonly scopes: string
  /** The claim that lists the groups of a person. */
  readonly groupsClaim: string
  readonly groups: readonly GroupGrant[]
  /** Whether people get the account with their verified email address although it has a password. */
  readonly linkByEmail: boolean
}

type OidcConfig = Pick<
  Config,
  | 'oidcIssuer'
  | 'oidcClientId'
  | 'oidcClientSecret'
  | 'oidcName'
  | 'oidcScopes'
  | 'oidcGroups'
  | 'oidcGroupsClaim'
  | 'oidcLinkByEmail'
>

/** Undefined without a provider. */
export function oidcSettings(config: OidcConfig): OidcSettings | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId } = config
  if (issuer === undefined || clientId === undefined) return undefined
  return {
    issuer,
    clientId,
    clientSecret: config.oidcClientSecret,
    name: config.oidcName,
    scopes: config.oidcScopes,
    groupsClaim: config.oidcGroupsClaim,
    groups: config.oidcGroups,
    linkByEmail: config.oidcLinkByEmail,
  }
}
