import type { Clock } from '@fairlead/core'
import type { Issuer } from './issuer.ts'
import { SignInRefusal } from './refusals.ts'
import type { OidcSettings } from './settings.ts'

export const callbackPath = '/auth/oidc/callback'

/** How long the metadata of the provider is used. */
const metadataMs = 60 * 60_000

export type FindIssuer = () => Promise<Issuer>

/** Loads the library, and the metadata of the provider, when they are first needed. A failure is not kept. */
export function issuerFinder(settings: OidcSettings, baseUrl: string, clock: Clock): FindIssuer {
  const redirectUri = new URL(baseUrl + callbackPath).href
  let known: { readonly issuer: Promise<Issuer>; readonly until: number } | undefined
  return () => {
    if (known && clock.now() < known.until) return known.issuer
    const issuer = discover(settings, redirectUri)
    const found = { issuer, until: clock.now() + metadataMs }
    known = found
    issuer.catch(() => {
      if (known === found) known = undefined
    })
    return issuer
  }
}

async function discover(settings: OidcSettings, redirectUri: string): Promise<Issuer> {
  const { discoverIssuer, explain } = await import('./issuer.ts')
  try {
    return await discoverIssuer(settings, redirectUri)
  } catch (error) {
    const reason = `the provider ${settings.issuer} cannot be used: ${explain(error)}`
    throw new SignInRefusal('unavailable', reason, { cause: error })
  }
}
