import type { FirstAdmin } from '@fairlead/accounts'
import { dashboardPath, tokenLink } from './dashboard.ts'
import { demoCommands } from './demo-commands.ts'

interface WelcomeOptions {
  readonly baseUrl: string
  readonly signup: boolean
  /** Whether the service has the embedded models. */
  readonly hasLocalModels: boolean
  /** Whether they stand in for others. */
  readonly demo: boolean
}

/**
 * The output of the first start: the API key of the admin, a link that logs in once, whether anyone can sign up, and
 * commands that can be pasted.
 */
export function welcome(
  { email, apiKey, signInToken }: FirstAdmin,
  { baseUrl, signup, hasLocalModels, demo }: WelcomeOptions,
): string {
  const dashboard = `${baseUrl}${dashboardPath}`
  const examples = hasLocalModels ? localExamples(baseUrl, apiKey) : listModels(baseUrl, apiKey)
  const link = signInToken === undefined ? dashboard : tokenLink(dashboard, 'sign-in', signInToken)
  return `
Created the admin ${email} with this API key.
Store it now: it is not shown again.

  ${apiKey}

Open the dashboard. This link logs you in as the admin, once, within 15 minutes:

  ${link}
${signup ? openSignup : ''}
${demo ? demoCommands({ baseUrl, apiKey, email }) : examples}

`
}

function localExamples(baseUrl: string, apiKey: string): string {
  const post = (path: string, body: object) =>
    [
      `curl ${baseUrl}${path} \\`,
      `  -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' \\`,
      `  -d '${JSON.stringify(body)}'`,
    ].join('\n')
  return `Generate a text, generate an image, and analyze a text:

${post('/generate', { model: 'scribe', prompt: 'Write a haiku about rain' })}

${post('/generate/image', { model: 'vista', prompt: 'a lighthouse on a cliff at sunset' })}

${post('/analyze', { text: 'Maria Lopez loves the new office in Berlin.', tasks: ['sentiment', 'entities', 'keywords'] })}`
}

/** Without the embedded models, no model is certain to exist. */
function listModels(baseUrl: string, apiKey: string): string {
  return `List the models, and try one in the playground of the dashboard:

curl ${baseUrl}/models \\
  -H 'Authorization: Bearer ${apiKey}'`
}

const openSignup = `
Sign-up is open: anyone who can reach the service can create an account.
To close it, set FAIRLEAD_SIGNUP=off.
`

/** `providers local, openai (OPENAI_API_KEY)`: the providers, and what enabled each. */
export function listProviders(providers: readonly { readonly name: string; readonly reason: string }[]): string {
  const list = providers.map(({ name, reason }) => (name === 'local' ? name : `${name} (${reason})`)).join(', ')
  if (list === '') return 'no provider: set an API key, such as OPENAI_API_KEY, or write a configuration file'
  return `the ${providers.length === 1 ? 'provider' : 'providers'} ${list}`
}
