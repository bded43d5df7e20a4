import { modelCallEvents } from '../runtime/events/model-call-events.ts'

const requestId = 'req_2144006262569533826222110534494264869'
const keyId = 'key_2144006262568942337108473209784351112'
const call = { requestId, cached: false, attempts: 1, keyId, sessionId: null }

export const generationEvents = modelCallEvents(
  'generation',
  'A text generation',
  {
    ...call,
    id: 'gen_2144006262569685970448465458676461248',
    model: 'gpt-5.4',
    provider: 'openai',
    usage: { promptTokens: 12, completionTokens: 48, totalTokens: 60 },
    costUsd: 0.00075,
    durationMs: 1_320,
  },
  'generate',
)

export const imageEvents = modelCallEvents(
  'image',
  'An image generation',
  {
    ...call,
    id: 'img_2144006262569685970448465458676461248',
    model: 'gpt-image-1.5',
    provider: 'openai',
    usage: { promptTokens: 9, completionTokens: 0, totalTokens: 9 },
    costUsd: 0.034,
    durationMs: 8_450,
  },
  'generate',
)

export const analysisEvents = modelCallEvents(
  'analysis',
  'A text analysis',
  {
    ...call,
    id: requestId,
    model: 'reader',
    provider: 'local',
    usage: { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
    costUsd: 0,
    durationMs: 12,
  },
  'analyze',
)

export const embeddingEvents = modelCallEvents(
  'embedding',
  'An embedding of texts',
  {
    ...call,
    id: requestId,
    model: 'text-embedding-3-small',
    provider: 'openai',
    usage: { promptTokens: 480, completionTokens: 0, totalTokens: 480 },
    costUsd: 0.0000096,
    durationMs: 210,
  },
  'generate',
)
