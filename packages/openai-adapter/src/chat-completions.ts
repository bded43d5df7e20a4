import type { Endpoint } from '@fairlead/http'
import { toCompletion } from './chat-reply.ts'
import { readChatRequest } from './chat-request.ts'
import { chatEvents } from './chat-stream.ts'
import { isObject } from './fields.ts'

/** `POST /chat/completions` */
export const chatCompletions: Endpoint = {
  method: 'POST',
  path: '/chat/completions',
  operation: 'generate',
  maxBodyBytes: 20 * 1_048_576,
  translate({ body }) {
    const { stream_options: streamOptions, model } = body
    const includeUsage = isObject(streamOptions) && streamOptions['include_usage'] === true
    return {
      ...readChatRequest(body),
      toBody: ({ data, meta }) => toCompletion(data, meta.requestId),
      toEvents: (requestId, at) => chatEvents({ requestId, at, model, includeUsage }),
    }
  },
}
