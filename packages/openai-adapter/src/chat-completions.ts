import type { Endpoint } from '@fairlead/http'
import { toCompletion } from './chat-reply.ts'
import { readChatRequest } from './chat-request.ts'
import { ChunkWriter } from './chat-stream.ts'
import { isObject } from './fields.ts'

/** `POST /chat/completions` */
export const chatCompletions: Endpoint = {
  method: 'POST',
  path: '/chat/completions',
  operation: 'generate',
  maxBodyBytes: 20 * 1_048_576,
  translate({ body, core }) {
    const { stream_options: streamOptions, model } = body
    const includeUsage = isObject(streamOptions) && streamOptions['include_usage'] === true
    const { customTools, ignored, ...request } = readChatRequest(body)
    return {
      ...request,
      ignored: (provider) => (provider !== undefined && core.speaks(provider, request.native.dialect) ? [] : ignored),
      toBody: ({ data, meta }) => toCompletion(data, { requestId: meta.requestId, customTools }),
      toEvents: (requestId, at) => {
        const writer = new ChunkWriter({ requestId, at, model, includeUsage, customTools })
        return (event) => writer.write(event)
      },
    }
  },
}
