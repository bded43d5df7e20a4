import type { Generation, GenerationChunk } from '@fairlead/core/types'
import { type Endpoint, eventText, type ResultEvent } from '@fairlead/http'
import { completionId, toUsage } from './chat-reply.ts'
import { commonInput, rejectSeveral, spellField } from './chat-request.ts'
import { toErrorBody } from './errors.ts'
import { type Fields, invalid, isObject, unknownFields } from './fields.ts'

/** Those that `translate` reads or rejects. */
const known: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'stream',
  'stream_options',
  'max_tokens',
  'temperature',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'seed',
  'stop',
  'n',
  'best_of',
  'echo',
  'logprobs',
  'suffix',
  'provider_options',
  'cache',
])

/** `POST /completions`, which predates chat completions. */
export const completions: Endpoint = {
  method: 'POST',
  path: '/completions',
  operation: 'generate',
  maxBodyBytes: 20 * 1_048_576,
  translate({ body }) {
    rejectUnsupported(body)
    const { stream_options: streamOptions, model } = body
    const includeUsage = isObject(streamOptions) && streamOptions['include_usage'] === true
    return {
      input: {
        ...commonInput(body),
        prompt: toPrompt(body['prompt']),
        maxTokens: body['max_tokens'] ?? null,
        reasoning: { effort: null },
      },
      ignored: unknownFields(body, known),
      spell: (field) => (field === 'prompt' ? field : spellField(field, 'max_tokens')),
      toBody: ({ data, meta }) => toCompletion(data, meta.requestId),
      toEvents: (requestId, at) => completionEvents({ requestId, at, model, includeUsage }),
    }
  },
}

function rejectUnsupported({ n, best_of: bestOf, echo, logprobs, suffix }: Fields): void {
  rejectSeveral(n)
  if (typeof bestOf === 'number' && bestOf > 1) throw invalid('best_of', 'must be 1')
  if (echo === true) throw invalid('echo', 'is not supported')
  if (typeof logprobs === 'number') throw invalid('logprobs', 'is not supported')
  if (typeof suffix === 'string' && suffix !== '') throw invalid('suffix', 'is not supported')
}

function toPrompt(prompt: unknown): unknown {
  if (prompt === undefined) throw invalid('prompt', 'is required')
  if (!Array.isArray(prompt)) return prompt
  if (prompt.length === 1 && typeof prompt[0] === 'string') return prompt[0]
  const isTokens = prompt.some((each) => typeof each !== 'string')
  throw invalid('prompt', isTokens ? 'must be text, not tokens' : 'must be one text: send several requests instead')
}

function toCompletion({ content, model, created, finishReason, usage }: Generation, requestId: string) {
  return {
    id: completionId('cmpl', requestId),
    object: 'text_completion',
    created,
    model,
    choices: [{ index: 0, text: content, logprobs: null, finish_reason: finishReason }],
    usage: toUsage(usage),
  }
}

interface StreamFacts {
  readonly requestId: string
  readonly at: number
  readonly model: unknown
  readonly includeUsage: boolean
}

/** The events of one stream. Reasoning has no place in it. */
function completionEvents({ requestId, at, model, includeUsage }: StreamFacts) {
  const facts = {
    id: completionId('cmpl', requestId),
    object: 'text_completion',
    created: Math.floor(at / 1000),
    model,
  }
  const chunk = (text: string, finishReason: string | null = null): string =>
    eventText(JSON.stringify({ ...facts, choices: [{ index: 0, text, logprobs: null, finish_reason: finishReason }] }))
  return (event: ResultEvent): string => {
    switch (event.type) {
      case 'chunk': {
        const { content } = event.chunk as GenerationChunk
        return content === '' ? '' : chunk(content)
      }
      case 'done': {
        const { finishReason, usage } = event.reply.data as Generation
        const last = includeUsage ? eventText(JSON.stringify({ ...facts, choices: [], usage: toUsage(usage) })) : ''
        return chunk('', finishReason) + last + eventText('[DONE]')
      }
      case 'error':
        return eventText(JSON.stringify(toErrorBody(event.reply)))
    }
  }
}
