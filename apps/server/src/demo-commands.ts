/** Whether the service runs from a clone, and not from the package. */
const isSource = import.meta.filename.endsWith('.ts')

/** The output of the first start without the demo. */
export const demoHint = `To have embedded models answer as gpt-*, claude-*, and gemini-*, start with: ${isSource ? 'npm start -- --demo' : 'npx fairlead --demo'}\n`

const notice =
  'The demo is on: embedded models, which are scripts and not language models, answer as gpt-*, claude-*, and gemini-*.\n'

/** The output of every start with the demo. The first one prints the commands with the key of the admin. */
export function announceDemo({ isTerminal, isFirst, ...options }: DemoStart): string {
  return isTerminal && !isFirst ? `\n${demoCommands(options)}\n\n${notice}` : notice
}

interface DemoStart extends Pick<DemoOptions, 'baseUrl' | 'email'> {
  readonly isTerminal: boolean
  /** Whether this start created the admin. */
  readonly isFirst: boolean
}

export interface DemoOptions {
  readonly baseUrl: string
  /** Undefined after the first start, because only the hash of a key is stored. */
  readonly apiKey?: string | undefined
  /** The email address of the admin. */
  readonly email: string
}

/** Commands and code that can be pasted, for the clients that people have. */
export function demoCommands({ baseUrl, apiKey = 'fl_…', email }: DemoOptions): string {
  const openai = `${baseUrl}/openai/v1`
  const provider = `{ name = "Fairlead", base_url = "${openai}", env_key = "FAIRLEAD_API_KEY", wire_api = "responses" }`
  const body = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Write a haiku about rain' }] })
  return `${apiKey === 'fl_…' ? keyFirst(email) : ''}Claude Code and Codex. Ask them: Create hello.txt with the text Hello there

ANTHROPIC_BASE_URL=${baseUrl}/anthropic ANTHROPIC_AUTH_TOKEN=${apiKey} claude

FAIRLEAD_API_KEY=${apiKey} codex -c model_provider=fairlead -c 'model_providers.fairlead=${provider}'

curl:

curl ${openai}/chat/completions \\
  -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' \\
  -d '${body}'

AI SDK, after npm install ai @ai-sdk/openai:

import { createOpenAI } from '@ai-sdk/openai'
import { generateText } from 'ai'
const openai = createOpenAI({ baseURL: '${openai}', apiKey: '${apiKey}' })
console.log((await generateText({ model: openai('gpt-5'), prompt: 'Write a haiku about rain' })).text)`
}

function keyFirst(email: string): string {
  const command = isSource ? 'npm run fairlead --' : 'npx fairlead'
  return `Replace fl_… with your API key. To create one, run: ${command} key create --user ${email} --name demo\n\n`
}
