import { anthropic } from '@fairlead/provider-anthropic'
import { openaiCompatible } from '@fairlead/provider-openai-compatible'
import { chatCompletion } from './report-usage.ts'
import { runFairlead } from './run-fairlead.ts'
import { upstreamUrl } from './upstream-url.ts'

const model = { type: 'text', name: 'Model', description: '', maxTokens: 4_096, tools: true } as const
const server = { baseUrl: `${upstreamUrl}/v1`, apiKey: 'none' }

/** The service, asked over OpenAI's API, with a model of OpenAI, of another server with its API, and of Anthropic. */
await runFairlead(
  [
    openaiCompatible({ ...server, preset: 'openai', models: [{ ...model, id: 'instant' }] }),
    openaiCompatible({ ...server, id: 'other', models: [{ ...model, id: 'other' }] }),
    anthropic({ baseUrl: upstreamUrl, apiKey: 'none', models: [{ ...model, id: 'claude' }] }),
  ],
  (apiKey) => chatCompletion({ authorization: `Bearer ${apiKey}` }),
)
