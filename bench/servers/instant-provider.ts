import { type Provider, textAnswer } from '@fairlead/core/provider'

const content = 'The quick brown fox jumps over the lazy dog. '.repeat(6).trimEnd()

const instant = {
  id: 'instant',
  type: 'text',
  name: 'Instant',
  description: 'Answers at once.',
  maxTokens: 4_096,
  pricing: { input: 3, output: 15 },
} as const

/** A provider that responds at once, so that only Fairlead's own work is measured. */
export const instantProvider: Provider = {
  contract: 2,
  id: 'instant',
  models: [instant, { ...instant, id: 'dripping', description: 'Streams piece by piece.' }],
  generateText: async () => textAnswer(content, { usage: { promptTokens: 9, completionTokens: 54 } }),
}

/** The constant response of the bare servers, with as many bytes as Fairlead's. */
export function bareAnswer() {
  return {
    success: true,
    data: {
      id: 'gen_2170322663328153932906299535562713817',
      content,
      model: 'instant',
      usage: { prompt_tokens: 9, completion_tokens: 54, total_tokens: 63 },
      finish_reason: 'stop',
      created: 1_795_248_830,
    },
    meta: {
      request_id: 'req_2170322663328153932906299535562713817',
      timestamp: '2026-11-21T08:13:50.089Z',
      provider: 'instant',
      cost_usd: 0.000837,
      cached: false,
      attempts: 1,
    },
  }
}
