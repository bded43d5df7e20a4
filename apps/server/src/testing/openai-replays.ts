import {
  type RecordedEvent,
  type RecordedReply,
  replyPieces,
  startReply,
  type UpstreamAnswer,
  type UpstreamRequest,
} from '@fairlead/testing'
import {
  chatExchanges,
  streamCompletion,
  streamResponse,
  type OfficialCapability,
  responsesExchanges,
} from '@fairlead/provider-openai-compatible/testing'

/** How OpenAI replies to a request. */
export type Replay = (request: UpstreamRequest) => RecordedReply

/** The recorded reply of OpenAI for a capability, in the form that the request asks for. */
export function recorded(capability: OfficialCapability): Replay {
  return ({ path, body }) => {
    const { stream } = body as { readonly stream?: boolean }
    if (path.endsWith('/responses')) {
      const { reply } = responsesExchanges[capability]
      return stream ? streamResponse(reply) : { json: reply }
    }
    const { reply } = chatExchanges[capability]
    return stream ? streamCompletion(reply) : { json: reply }
  }
}

/** Chat completions with reasoning are asked for by responses, which show more of it. */
const different: readonly OfficialCapability[] = ['forcedTool', 'reasoning']

/** Those that Fairlead passes on unchanged in both directions. */
export const recordedCapabilities = (Object.keys(chatExchanges) as OfficialCapability[]).filter(
  (capability) => !different.includes(capability),
)

const failed = { message: 'The server had an error.', type: 'server_error', param: null, code: null }
const tooLong = { message: 'Too many tokens.', type: 'invalid_request_error', code: 'context_length_exceeded' }

/** A stream up to the first half of its text. */
function firstHalf(request: UpstreamRequest): readonly RecordedEvent[] {
  const { events = [] } = recorded('chat')(request)
  const at = events.findIndex(({ data }) => /\.delta"|"delta":\{"content":"\w/.test(JSON.stringify(data)))
  return events.slice(0, at + 1)
}

/** A stream that fails after half of its text. */
export const interruptedReply: Replay = (request) => {
  const events = firstHalf(request)
  const isResponse = request.path.endsWith('/responses')
  const error = isResponse
    ? { event: 'error', data: { type: 'error', sequence_number: events.length, error: failed } }
    : { data: { error: failed } }
  return { events: [...events, error] }
}

/** A stream that never ends. */
export const endless: UpstreamAnswer = (response, request) => {
  const half = { events: firstHalf(request) }
  startReply(response, half)
  for (const piece of replyPieces(half)) response.write(piece)
}

/** Fails once, and then gives the answer. */
export function failingOnce(capability: OfficialCapability): Replay {
  let requests = 0
  return (request) => (++requests === 1 ? { status: 500, json: { error: failed } } : recorded(capability)(request))
}

export const failures: readonly (readonly [string, Replay])[] = [
  ['fails', () => ({ status: 500, json: { error: failed } })],
  ['is overloaded', () => ({ status: 503, json: { error: failed } })],
  [
    'finds the prompt too long',
    ({ path }) => ({
      status: 400,
      json: { error: { ...tooLong, param: path.endsWith('/responses') ? 'input' : 'messages' } },
    }),
  ],
]
