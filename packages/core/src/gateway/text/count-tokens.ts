import * as z from 'zod'
import { smallCount, namedObject } from '../../runtime/schema/field-schemas.ts'
import { parseResponse } from '../provider-responses.ts'
import { textFields } from './generation.ts'
import { prepareText } from './prepare-text.ts'
import type { Attempt } from '../routing/attempt.ts'
import { requestFor } from './request-text.ts'
import type { Target } from '../routing/route.ts'
import { action } from '../services.ts'

const { messages } = textFields.shape

const countInput = textFields
  .pick({
    model: true,
    tools: true,
    toolChoice: true,
    webSearch: true,
    responseFormat: true,
    reasoning: true,
    providerOptions: true,
  })
  .extend({ messages: messages.unwrap(), adapt: textFields.shape.adapt })

const tokenCount = namedObject('TokenCount', 'The number of tokens of a prompt.', {
  promptTokens: smallCount.describe('Tokens of the messages and tools.'),
  isEstimate: z.boolean().describe('Whether the provider cannot count, so that Fairlead estimated the tokens.'),
})

const providerCount = z.object({ promptTokens: z.int().min(0) })

/** Counts the tokens of a conversation, without an answer. Charged as any request, because providers limit counts too. */
export const countTokens = action({
  name: 'countTokens',
  summary: 'Counts the tokens of a conversation, without generating an answer.',
  access: { scope: 'generate' },
  metered: true,
  input: countInput,
  output: tokenCount,
  prepare: (services, call, input) => prepareText(services, call, { ...input, cache: false }),
  estimate: () => ({ tokens: 0, costUsd: 0, unpriced: undefined }),
  async run({ router }, call, { plan: { route, request, size } }) {
    const send = async ({ provider, id }: Target, attempt: Attempt) =>
      provider.countTokens
        ? parseResponse(
            providerCount,
            await provider.countTokens(requestFor(provider, { ...request, model: id }).request, attempt),
          )
        : undefined
    const { answer } = await router.attempt('countTokens', route, call, send, { prompt: size, maxTokens: 0 })
    return { promptTokens: answer?.promptTokens ?? size.estimatedTokens, isEstimate: answer === undefined }
  },
})
