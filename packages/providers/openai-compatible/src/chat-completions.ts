import { chatChunk, chatReply, fromChatReply, readPiece } from './chat-reply.ts'
import { toChatRequest } from './chat-request.ts'
import { readChunks, silentChunk } from './chat-stream.ts'
import type { ApiContext, TextApi, TextCall } from './text-api.ts'

const path = '/chat/completions'

/** The API that every server has. */
export function chatCompletions({ id: provider, http, dialect, optionsOf }: ApiContext): TextApi {
  const toWire = ({ request, ...call }: TextCall) => toChatRequest(request, { ...call, dialect, optionsOf })
  return {
    generate(call) {
      const { body, warnings } = toWire(call)
      const post = { path, body, schema: chatReply, signal: call.signal, quota: call.request.model }
      const reading = { provider, warnings, tier: body['service_tier'], isNative: call.client === 'openai-chat' }
      return http.postJson(post, (reply) => fromChatReply(reply, reading))
    },
    stream(call) {
      const { body, warnings } = toWire(call)
      call.warn?.(warnings)
      const askUsage = dialect.askStreamUsage === false ? {} : { stream_options: { include_usage: true } }
      const post = {
        path,
        body: { ...body, stream: true, ...askUsage },
        schema: chatChunk,
        readUsual: readPiece,
        endMark: '[DONE]',
        ping: silentChunk,
        signal: call.signal,
        quota: call.request.model,
      }
      const reading = { provider, warnings, tier: body['service_tier'], isNative: call.client === 'openai-chat' }
      return http.postForEvents(post, (chunks) => readChunks(chunks, reading))
    },
  }
}
