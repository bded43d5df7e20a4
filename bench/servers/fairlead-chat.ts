import { anthropic } from '@fairlead/provider-anthropic'
import { chatCompletion } from './report-usage.ts'
import { runFairlead } from './run-fairlead.ts'
import { upstreamProvider } from './upstream-provider.ts'
import { upstreamUrl } from './upstream-url.ts'

const claude = { id: 'claude', type: 'text', name: 'Claude', description: '', maxTokens: 4_096, tools: true } as const

/** The service, asked over OpenAI's API. It also has a model of Anthropic's API. */
await runFairlead(
  [upstreamProvider(upstreamUrl), anthropic({ baseUrl: upstreamUrl, apiKey: 'none', models: [claude] })],
  (apiKey) => chatCompletion({ authorization: `Bearer ${apiKey}` }),
)
