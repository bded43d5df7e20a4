import { chatCompletion } from './report-usage.ts'
import { runFairlead } from './run-fairlead.ts'
import { upstreamProvider } from './upstream-provider.ts'
import { upstreamUrl } from './upstream-url.ts'

/** The service, asked over OpenAI's API. */
await runFairlead([upstreamProvider(upstreamUrl)], (apiKey) => ({
  ...chatCompletion({ authorization: `Bearer ${apiKey}` }),
  path: '/openai/v1/chat/completions',
}))
