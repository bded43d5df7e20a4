import { isObject, type JsonObject, lastPrompt, type TextRequest } from '@fairlead/core/provider'
import { withOptions } from '@fairlead/provider-toolkit'
import { chatChunk, chatReply } from './chat-reply.ts'
import { addSampling, type Body, type WireRequest } from './chat-request.ts'
import type { RequestSettings } from './dialect.ts'
import { without } from './sent-values.ts'

/** The request of a completion, which predates chat completions. Only clients of this API get it: it has no messages. */
export function toCompletionRequest(request: TextRequest, settings: RequestSettings): WireRequest {
  const { dialect, leftOut, optionsOf } = settings
  const { model, maxTokens, native } = request
  const warnings = leftOut.slice()
  const body: Body = { model, prompt: lastPrompt(request) }
  if (maxTokens !== undefined) body['max_tokens'] = maxTokens
  addSampling(body, request, settings, dialect, warnings)
  const own = native?.['openai-completions'] ?? {}
  const fields = 'stop' in body ? own : without(own, ['stop'])
  return { body: withOptions({ ...body, ...fields }, optionsOf(request)), warnings }
}

/** A reply, and a chunk of one, with the text of the first choice in the place that chat completions have for it. */
export const completionReply: typeof chatReply = { safeParse: (value) => chatReply.safeParse(asChat(value, 'message')) }
export const completionChunk: typeof chatChunk = { safeParse: (value) => chatChunk.safeParse(asChat(value, 'delta')) }

/** Other choices are for clients of this API alone, and stay as they are. */
function asChat(value: unknown, place: 'message' | 'delta'): unknown {
  if (!isObject(value) || !Array.isArray(value['choices'])) return value
  return { ...value, choices: value['choices'].map((choice) => (isFirstText(choice) ? placed(choice, place) : choice)) }
}

function isFirstText(choice: unknown): choice is JsonObject {
  return isObject(choice) && (choice['index'] ?? 0) === 0 && typeof choice['text'] === 'string'
}

function placed(choice: JsonObject, place: 'message' | 'delta'): JsonObject {
  return { ...without(choice, ['text']), [place]: { content: choice['text'] } }
}

/** A whole reply has the form of a chunk. */
export function chunksOfCompletion(reply: unknown): readonly unknown[] | undefined {
  return isObject(reply) && Array.isArray(reply['choices']) ? [reply] : undefined
}
