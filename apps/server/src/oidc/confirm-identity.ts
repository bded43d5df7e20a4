import type { ConfirmIdentity } from '@fairlead/accounts'
import type { FindIssuer } from './find-issuer.ts'
import { grantsOfClaims } from './identity.ts'
import { SignInRefusal } from './refusals.ts'
import type { OidcSettings } from './settings.ts'

/** Asks the provider, with the refresh token of a session, whether the person may still use the service, and in which groups they are. */
export function identityConfirmer(settings: OidcSettings, findIssuer: FindIssuer): ConfirmIdentity {
  return async ({ issuer, subject, token }) => {
    // Another provider may be configured since the sign-in.
    const found = await findIssuer()
    if (found.name !== issuer) return undefined
    const refreshed = await found.refresh(token, subject)
    if (!refreshed) return undefined
    const { claims, refreshToken } = refreshed
    try {
      return { ...(claims && grantsOfClaims(claims, settings)), token: refreshToken }
    } catch (error) {
      if (error instanceof SignInRefusal) return undefined
      throw error
    }
  }
}
