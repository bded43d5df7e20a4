import { combineGrants } from './groups.ts'
import { SignInRefusal } from './refusals.ts'
import type { OidcSettings } from './settings.ts'

/**
 * A provider's statements about a person, in the ID token and on its userinfo endpoint. Unchecked, but for the first
 * two.
 */
export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string }

const maxNameLength = 100

/** The identity of a person, as core takes it. Throws `SignInRefusal` for a person without email address or group. */
export function readIdentity(claims: Claims, settings: OidcSettings) {
  const { iss, sub, sid, email, email_verified: emailVerified } = claims
  if (typeof email !== 'string') {
    throw new SignInRefusal(
      'no-email',
      'the provider sent no claim "email": allow it for this client, and request the scope',
    )
  }
  return {
    issuer: iss,
    subject: sub,
    email,
    emailVerified: emailVerified === true,
    name: readName(claims, email),
    linkByEmail: settings.linkByEmail,
    ...(typeof sid === 'string' && { issuerSession: sid }),
    ...grantsOfClaims(claims, settings),
  }
}

/**
 * The rights that the groups of a person grant. Throws `SignInRefusal` for a person without a group that may sign in.
 */
export function grantsOfClaims(claims: Claims, { groups: all, groupsClaim }: OidcSettings) {
  const claimed = claims[groupsClaim]
  const groups = [claimed].flat().filter((group) => typeof group === 'string')
  const grants = combineGrants(all, groups)
  if (!grants) {
    const sent =
      claimed === undefined ? `the provider sent no claim "${groupsClaim}"` : `of the groups ${groups.join(', ')}`
    throw new SignInRefusal('no-group', `FAIRLEAD_OIDC_GROUPS gives nothing to this person: ${sent}`)
  }
  return {
    ...(grants.role && { role: grants.role }),
    ...(grants.tier && { tier: grants.tier }),
    ...(grants.projects.length > 0 && { projects: grants.projects }),
  }
}

function readName({ name, preferred_username: username }: Claims, email: string): string {
  const found = [name, username].find((text) => typeof text === 'string' && text.trim() !== '')
  return [...String(found ?? email)].slice(0, maxNameLength).join('')
}

/** Whether the ID token lacks what the userinfo endpoint may have. */
export function isIncomplete(claims: Claims, { groups, groupsClaim }: OidcSettings): boolean {
  return claims['email'] === undefined || (groups.length > 0 && claims[groupsClaim] === undefined)
}

/**
 * The claims of an ID token, and the claims of the userinfo endpoint that it lacks. The email address and whether it is
 * verified come from the same document: the other one may mean another address.
 */
export function completed(claims: Claims, info: Readonly<Record<string, unknown>>): Claims {
  const { email, email_verified } = claims['email'] === undefined ? info : claims
  return { ...info, ...claims, email, email_verified }
}
