import { createFairlead } from '@fairlead/core'
import { openaiCompatible } from '@fairlead/provider-openai-compatible'
import { restAdapter } from '@fairlead/rest-adapter'

interface Env {
  readonly API_KEY: string
  readonly BASE_URL: string
  readonly TOKEN: string
  readonly TIMEOUT_MS: string
}

// oxlint-disable-next-line import/no-default-export -- Workers take the default export
export default {
  // Workers end the timers and connections of a request with it, so each request has its own instance.
  fetch(request: Request, env: Env): Promise<Response> {
    const models = [{ id: 'chat', type: 'text', name: 'Chat', description: 'Answers', maxTokens: 1_000 }] as const
    const provider = openaiCompatible({ id: 'remote', apiKey: env.API_KEY, baseUrl: env.BASE_URL, models })
    const fairlead = createFairlead({
      providers: [provider],
      routing: { timeouts: { totalMs: Number(env.TIMEOUT_MS) } },
    })
    const rest = restAdapter(fairlead.core, {
      service: { name: 'My service', version: '1.0.0' },
      authenticate: (token) => token !== undefined && token === env.TOKEN,
    })
    return rest.handle(request)
  },
}
