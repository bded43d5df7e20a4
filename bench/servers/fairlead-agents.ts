import { anthropic } from '@fairlead/provider-anthropic'
import { openaiCompatible } from '@fairlead/provider-openai-compatible'
import { chatCompletion } from './report-usage.ts'
import { runFairlead } from './run-fairlead.ts'
import { upstreamUrl } from './upstream-url.ts'

const model = { type: 'text', name: 'Agent', description: 'Answers at once.', maxTokens: 4_096, tools: true } as const

/** The service with a model of OpenAI's API and one of Anthropic's, asked over OpenAI's API. */
await runFairlead(
  [
    openaiCompatible({
      id: 'upstream',
      baseUrl: `${upstreamUrl}/v1`,
      apiKey: 'none',
      models: [{ ...model, id: 'agent' }],
    }),
    anthropic({ baseUrl: upstreamUrl, apiKey: 'none', models: [{ ...model, id: 'claude-agent' }] }),
  ],
  (apiKey) => ({
    ...chatCompletion({ authorization: `Bearer ${apiKey}` }),
    path: '/openai/v1/chat/completions',
  }),
)
