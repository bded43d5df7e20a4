import { fromResponsesReply, responsesReply } from './responses-reply.ts'
import { toResponsesRequest } from './responses-request.ts'
import { endsResponse, readResponseEvents, responseEvent, silentEvent } from './responses-stream.ts'
import type { ApiContext, TextApi, TextCall } from './text-api.ts'

const path = '/responses'

/** The Responses API, which takes tools from models that reason, and their reasoning in the next request. */
export function responses({ id: provider, http, dialect, optionsOf }: ApiContext): TextApi {
  const toWire = ({ request, ...call }: TextCall) => toResponsesRequest(request, { ...call, dialect, optionsOf })
  return {
    generate(call) {
      const { body, warnings } = toWire(call)
      const post = { path, body, schema: responsesReply, signal: call.signal, quota: call.request.model }
      const reading = { provider, warnings, tier: body['service_tier'], isNative: call.client === 'openai-responses' }
      return http.postJson(post, (reply) => fromResponsesReply(reply, reading))
    },
    stream(call) {
      const { body, warnings } = toWire(call)
      call.warn?.(warnings)
      const post = {
        path,
        body: { ...body, stream: true },
        schema: responseEvent,
        isLast: endsResponse,
        ping: silentEvent,
        signal: call.signal,
        quota: call.request.model,
      }
      const reading = { provider, warnings, tier: body['service_tier'], isNative: call.client === 'openai-responses' }
      return http.postForEvents(post, (events) => readResponseEvents(events, reading))
    },
  }
}
