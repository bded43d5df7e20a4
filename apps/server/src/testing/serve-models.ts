import { fakePainter } from '@fairlead/testing'
import { local } from '@fairlead/provider-local'
import { serveApp } from './serve-app.ts'

/** The service with its embedded models and the image model `picture`, and what clients of OpenAI need to know of it. */
export async function serveModels() {
  const served = await serveApp({ core: { providers: [local(), fakePainter('easel')] } })
  return { ...served, baseURL: `${served.url}/openai/v1`, apiKey: served.caller.token }
}

/** A prompt with a script for the model `mirror`. */
export function scripted(...lines: readonly string[]): string {
  return ['```mirror', ...lines, '```', 'Which one?'].join('\n')
}

/** Two calls at once, and then an answer. */
export const weatherScript = scripted(
  'tool_call: get_weather {"city": "Oslo"}',
  'tool_call: get_weather {"city": "Lima"}',
  'next:',
  'reply: Lima is warmer.',
)

export const weatherSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const

/** A PNG of one pixel. */
export const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
