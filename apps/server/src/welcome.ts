import type { FirstAdmin } from '@fairlead/core'
import { dashboardPath } from './dashboard.ts'

/**
 * What the first start prints: the API key of the admin, a link that logs in once, whether anyone can sign up, and commands
 * that can be pasted.
 */
export function welcome(
  { email, apiKey, signInToken }: FirstAdmin,
  { baseUrl, signup }: { readonly baseUrl: string; readonly signup: boolean },
): string {
  // In the fragment, because browsers send it to no server.
  const link = `${baseUrl}${dashboardPath}${signInToken === undefined ? '' : `#sign-in=${signInToken}`}`
  const post = (path: string, body: object) =>
    [
      `curl ${baseUrl}${path} \\`,
      `  -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' \\`,
      `  -d '${JSON.stringify(body)}'`,
    ].join('\n')
  return `
Created the admin ${email} with this API key.
Store it now: it is not shown again.

  ${apiKey}

Open the dashboard. This link logs you in as the admin, once, within 15 minutes:

  ${link}
${signup ? openSignup : ''}
Generate a text, generate an image, and analyze a text:

${post('/v1/generate', { model: 'scribe', prompt: 'Write a haiku about rain' })}

${post('/v1/generate/image', { model: 'vista', prompt: 'a lighthouse on a cliff at sunset' })}

${post('/v1/analyze', { text: 'Maria Lopez loves the new office in Berlin.', tasks: ['sentiment', 'entities', 'keywords'] })}

`
}

const openSignup = `
Sign-up is open: anyone who can reach the service can create an account.
To close it, set FAIRLEAD_SIGNUP=off.
`

/** `providers local, openai (OPENAI_API_KEY)`: the providers, and what enabled each. */
export function listProviders(providers: readonly { readonly name: string; readonly reason: string }[]): string {
  const list = providers.map(({ name, reason }) => (name === 'local' ? name : `${name} (${reason})`)).join(', ')
  return `${providers.length === 1 ? 'provider' : 'providers'} ${list}`
}
