import * as z from 'zod'
import type { Scope } from '../access.ts'
import { type EventType, defineEvent } from './event-type.ts'
import { smallCount, namedObject } from '../schema/field-schemas.ts'

export const tokenUsage = namedObject('TokenUsage', 'Token counts of a call.', {
  promptTokens: smallCount.describe('Tokens in the prompt.'),
  completionTokens: smallCount.describe('Tokens generated.'),
  totalTokens: smallCount.describe('Total tokens.'),
  reasoningTokens: smallCount.optional().describe('Generated tokens that were reasoning, if the provider counts them.'),
  cachedPromptTokens: smallCount.optional().describe('Prompt tokens that the provider read from its cache, if any.'),
  cacheWriteTokens: smallCount.optional().describe('Prompt tokens that the provider wrote to its cache, if any.'),
  webSearches: smallCount.optional().describe('Searches of the web that the provider ran, if any.'),
})

const completedCall = namedObject('CompletedCall', 'A model call that succeeded, without its content.', {
  id: z.string().describe('Id of the result. If the result has none, the id of the request.'),
  requestId: z.string().describe('Id of the request, as in `X-Request-Id`.'),
  model: z.string().nullable().describe('Id of the model.'),
  provider: z.string().nullable().describe('Id of the provider. Null if none responded.'),
  usage: tokenUsage.describe('Token usage. A cached response uses none.'),
  costUsd: z.number().describe('Cost of the call in USD.'),
  cached: z.boolean().describe('Whether the response came from the cache.'),
  attempts: smallCount.describe('Number of calls to providers.'),
  durationMs: z.int().describe('Duration in milliseconds.'),
  keyId: z.string().nullable().describe('Id of the API key. Null for a session.'),
  sessionId: z.string().nullable().describe('Id of the session. Null for an API key.'),
})

const failedCall = completedCall
  .extend({
    error: z
      .string()
      .describe(
        'Error code of the response. `aborted` if the client closed the request, `partial` if a stream ended early.',
      ),
  })
  .meta({ id: 'FailedCall', description: 'A model call that failed, without its content.' })

export interface ModelCallEvents {
  readonly completed: EventType<typeof completedCall>
  readonly failed: EventType<typeof failedCall>
}

/**
 * Declares the events of an action, `<name>.completed` and `<name>.failed`. They are stored only while
 * someone subscribes to them.
 *
 * @param label the subject of the summaries, such as `A text generation`
 * @param scope the scope of the operation. Default: the scope `events` or `webhooks` is enough
 */
export function modelCallEvents(
  name: string,
  label: string,
  example: z.output<typeof completedCall>,
  scope?: Scope,
): ModelCallEvents {
  const shared = { scope, version: 1, onDemand: true }
  return {
    completed: defineEvent({
      ...shared,
      type: `${name}.completed`,
      summary: `${label} succeeded.`,
      data: completedCall,
      example,
    }),
    failed: defineEvent({
      ...shared,
      type: `${name}.failed`,
      summary: `${label} failed, or its client closed the request.`,
      data: failedCall,
      example: {
        ...example,
        id: example.requestId,
        usage: { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
        costUsd: 0,
        attempts: 3,
        error: 'PROVIDER_ERROR',
      },
    }),
  }
}
