import { systemClock } from '@fairlead/core'
import { identityConfirmer } from './confirm-identity.ts'
import { issuerFinder } from './find-issuer.ts'
import { oidcPages, type OidcPagesOptions } from './oidc-pages.ts'
import type { OidcSettings } from './settings.ts'

/** Everything that the service does with an OpenID Connect provider. */
export function openProvider(settings: OidcSettings, baseUrl: string) {
  const findIssuer = issuerFinder(settings, baseUrl, systemClock)
  return {
    confirmIdentity: identityConfirmer(settings, findIssuer),
    pages: (options: Omit<OidcPagesOptions, 'settings' | 'findIssuer'>) =>
      oidcPages({ ...options, settings, findIssuer }),
  }
}
