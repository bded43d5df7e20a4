import type { TokenCount } from '@fairlead/core/types'
import type { Endpoint } from '@fairlead/http'
import { invalid } from './checks.ts'
import { answerOf, toMessage } from './message-body.ts'
import { MessageWriter } from './message-events.ts'
import { readRequest } from './read-request.ts'

/** That of `generate`: images and files are part of the body. */
const maxBodyBytes = 20 * 1_048_576

/** `POST /v1/messages`. @param providers the ids of the providers that speak Anthropic's API */
export function createMessage(providers: readonly string[]): Endpoint {
  return {
    method: 'POST',
    path: '/v1/messages',
    operation: 'generate',
    maxBodyBytes,
    translate(request) {
      const { model, prompt, settings, data, native, spell, ignored } = readRequest(request, providers)
      if (typeof request.body['max_tokens'] !== 'number')
        throw invalid('max_tokens', 'is required, and must be a number')
      const headOf = (requestId: string) => ({ id: requestId.replace(/^req_/, 'msg_'), model })
      return {
        input: { ...prompt, ...settings },
        native,
        ignored,
        spell,
        toBody: ({ data: reply, meta }) => toMessage(headOf(meta.requestId), answerOf(reply), data),
        toEvents: (requestId) => {
          const writer = new MessageWriter(headOf(requestId), data)
          return (event) => writer.write(event)
        },
      }
    },
  }
}

/** `POST /v1/messages/count_tokens`. @param providers as above */
export function countMessageTokens(providers: readonly string[]): Endpoint {
  return {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    operation: 'countTokens',
    maxBodyBytes,
    translate(request) {
      const { prompt, native, spell, ignored } = readRequest(request, providers)
      const { parallelToolCalls: _parallel, ...input } = prompt
      return {
        input,
        native,
        ignored,
        spell,
        toBody: ({ data }) => ({ input_tokens: (data as TokenCount).promptTokens }),
      }
    },
  }
}
