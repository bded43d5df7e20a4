import type { Generation, GenerationChunk } from '@fairlead/core/types'
import {
  type Endpoint,
  eventText,
  type EventWriter,
  type Fields,
  idFor,
  invalid,
  isPresent,
  type ResultEvent,
} from '@fairlead/http'
import { type HeadFacts, toUsage } from './chat-reply.ts'
import { asksForUsage, commonInput, spellField } from './chat-request.ts'
import { toErrorBody } from './errors.ts'
import { completionSettings, settings, unknownFields } from './fields.ts'

/** Fields that are read or rejected. */
const known = [...settings, ...completionSettings, 'n', 'prompt', 'stop', 'best_of', 'echo', 'logprobs', 'suffix']

/** `POST /completions`, which predates chat completions. */
export const completions: Endpoint = {
  method: 'POST',
  path: '/completions',
  operation: 'generate',
  maxBodyBytes: 20 * 1_048_576,
  translate({ body }) {
    rejectUnsupported(body)
    const { model } = body
    const includeUsage = asksForUsage(body)
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
      toEvents: (requestId, created) => completionEvents({ requestId, created, model }, includeUsage),
    }
  },
}

function rejectUnsupported({ n, best_of: bestOf, echo, logprobs, suffix }: Fields): void {
  if (isPresent(n) && n !== 1) throw invalid('n', 'must be 1: send several requests instead')
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
  return { ...toHead({ requestId, created, model }), choices: [choiceOf(content, finishReason)], usage: toUsage(usage) }
}

function toHead({ requestId, created, model }: HeadFacts) {
  return { id: idFor('cmpl-', requestId), object: 'text_completion', created, model }
}

function choiceOf(text: string, finishReason: string | null = null) {
  return { index: 0, text, logprobs: null, finish_reason: finishReason }
}

/** The events of one stream. Reasoning has no place in it. */
function completionEvents(facts: HeadFacts, includeUsage: boolean): EventWriter {
  const head = toHead(facts)
  const chunk = (choices: readonly object[], usage?: object) => eventText(JSON.stringify({ ...head, choices, usage }))
  const write = (event: ResultEvent): string => {
    if (event.type === 'error') return eventText(JSON.stringify(toErrorBody(event.reply)))
    if (event.type === 'chunk') {
      const { content } = event.chunk as GenerationChunk
      return content === '' ? '' : chunk([choiceOf(content)])
    }
    const { finishReason, usage } = event.reply.data as Generation
    const last = includeUsage ? chunk([], toUsage(usage)) : ''
    return chunk([choiceOf('', finishReason)]) + last + eventText('[DONE]')
  }
  return { write }
}
