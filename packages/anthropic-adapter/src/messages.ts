import type { TokenCount } from '@fairlead/core/types'
import { toTextAnswer, type Endpoint, idFor, invalid } from '@fairlead/http'
import { toMessage } from './message-body.ts'
import { MessageWriter } from './message-events.ts'
import { readRequest } from './read-request.ts'

/** As Anthropic's own: images and files are part of the body. */
const maxBodyBytes = 32 * 1_048_576

/** `POST /v1/messages`. @param providers returns the ids of the providers that speak Anthropic's API */
export function createMessage(providers: () => readonly string[]): Endpoint {
  return {
    method: 'POST',
    path: '/v1/messages',
    operation: 'generate',
    maxBodyBytes,
    translate(request) {
      const { model, prompt, settings, data, ...form } = readRequest(request, providers())
      if (typeof settings.maxTokens !== 'number') throw invalid('max_tokens', 'is required, and must be a number')
      const createHead = (requestId: string) => ({ id: idFor('msg_', requestId), model })
      return {
        ...form,
        input: { ...prompt, ...settings },
        toBody: ({ data: reply, meta }) => toMessage(createHead(meta.requestId), toTextAnswer(reply), data),
        toEvents: (requestId) => new MessageWriter(createHead(requestId), data),
      }
    },
  }
}

/** `POST /v1/messages/count_tokens`. @param providers as above */
export function countMessageTokens(providers: () => readonly string[]): Endpoint {
  return {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    operation: 'countTokens',
    maxBodyBytes,
    translate(request) {
      const { prompt, native, spell, ignored } = readRequest(request, providers())
      const { parallelToolCalls: _parallel, ...input } = prompt
      const toBody = ({ data }: { readonly data: TokenCount }) => ({ input_tokens: data.promptTokens })
      return { input, native, spell, ignored, toBody }
    },
  }
}
