import { openaiCompatible } from '@fairlead/provider-openai-compatible'
import type { Provider } from '@fairlead/core/provider'
import { instantProvider } from './instant-provider.ts'

/** A provider over HTTP, whose upstream has the models of the instant provider, and calls tools. */
export function upstreamProvider(url: string): Provider {
  const { models } = instantProvider
  return openaiCompatible({
    id: 'upstream',
    baseUrl: `${url}/v1`,
    apiKey: 'none',
    models: typeof models === 'function' ? 'fetched' : models.map((model) => ({ ...model, tools: true })),
  })
}
