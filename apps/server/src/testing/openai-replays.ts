import type { RecordedReply, UpstreamRequest } from '@fairlead/core/testing'
import {
  chatExchanges,
  chunksOf,
  eventsOf,
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
      return stream ? eventsOf(reply) : { json: reply }
    }
    const { reply } = chatExchanges[capability]
    return stream ? chunksOf(reply) : { json: reply }
  }
}

/** Chat completions with reasoning are asked for by responses, which show more of it. */
const different: readonly OfficialCapability[] = ['refusal', 'forcedTool', 'reasoning']

/** Those that Fairlead passes on unchanged in both directions. */
export const recordedCapabilities = (Object.keys(chatExchanges) as OfficialCapability[]).filter(
  (capability) => !different.includes(capability),
)

const failed = { message: 'The server had an error.', type: 'server_error', param: null, code: null }
const tooLong = { message: 'Too many tokens.', type: 'invalid_request_error', code: 'context_length_exceeded' }

/** The text breaks off after its first half. */
export const brokenOff: Replay = (request) => {
  const { events = [] } = recorded('chat')(request)
  const at = events.findIndex(({ data }) => /\.delta"|"delta":\{"content":"\w/.test(JSON.stringify(data)))
  const isResponse = request.path.endsWith('/responses')
  const error = isResponse
    ? { event: 'error', data: { type: 'error', sequence_number: at + 1, error: failed } }
    : { data: { error: failed } }
  return { events: [...events.slice(0, at + 1), error] }
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
