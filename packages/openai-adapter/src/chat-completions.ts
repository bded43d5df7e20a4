import type { Endpoint } from '@fairlead/http'
import { toCompletion } from './chat-reply.ts'
import { asksForUsage, readChatRequest } from './chat-request.ts'
import { ChunkWriter } from './chat-stream.ts'

/** `POST /chat/completions` */
export const chatCompletions: Endpoint = {
  method: 'POST',
  path: '/chat/completions',
  operation: 'generate',
  maxBodyBytes: 20 * 1_048_576,
  translate({ body, core }) {
    const { model } = body
    const includeUsage = asksForUsage(body)
    const { customTools, ignored, ...request } = readChatRequest(body)
    return {
      ...request,
      ignored: (provider) =>
        provider !== undefined && core.supportsDialect(provider, request.native.dialect) ? [] : ignored,
      toBody: ({ data, meta }) => toCompletion(data, meta.requestId, customTools),
      toEvents: (requestId, created) => new ChunkWriter({ requestId, created, model, includeUsage, customTools }),
    }
  },
}
