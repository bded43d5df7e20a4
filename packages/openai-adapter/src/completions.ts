import type { WithAnswer } from '@fairlead/core/adapter'
import type { Generation } from '@fairlead/core/types'
import { toTextAnswer, type Endpoint, type Fields, invalid, isObject, isPresent } from '@fairlead/http'
import { type HeadFacts, toFinishReason, toHead, toUsage } from './chat-reply.ts'
import { asksForUsage, commonInput, spellField } from './chat-request.ts'
import { toChoice, CompletionWriter, completionDialect as dialect } from './completion-stream.ts'
import { completionSettings, nativeFields, settings, unknownFields } from './fields.ts'

/** Fields that a native request leaves out, because providers have them from the contract. */
const interpreted = [...settings, ...completionSettings]
/** Fields that only a provider of the API can do as asked, unless they have these values. */
const onlyThere: Readonly<Record<string, (value: unknown) => boolean>> = {
  n: (value) => value === 1,
  best_of: (value) => value === 1,
  echo: (value) => value === false,
  logprobs: (value) => value === false,
  suffix: (value) => value === '',
  max_tokens: (value) => value !== 0,
}
const one = 'send several requests with one each'
const fixes = { n: one, best_of: 'leave it out', prompt: one, 'prompt[0]': 'send text instead of tokens' }
/** Fields that are read or rejected. */
const known = [...interpreted, ...Object.keys(onlyThere), 'prompt', 'stop']
/** As many tokens as one request for embeddings has at most. */
const maxTokens = 500_000

/** `POST /completions`, which predates chat completions. */
export const completions: Endpoint = {
  method: 'POST',
  path: '/completions',
  operation: 'generate',
  maxBodyBytes: 20 * 1_048_576,
  maxNumbers: maxTokens,
  translate({ body, core }) {
    const { model, max_tokens: maximum } = body
    const { prompts, required: ofPrompt } = readPrompt(body['prompt'])
    const required = [
      ...ofPrompt,
      ...Object.keys(onlyThere).filter((name) => isPresent(body[name]) && !onlyThere[name]!(body[name])),
    ]
    const ignored = unknownFields(body, known)
    // Core has no answers without text.
    const isScoring = maximum === 0
    return {
      input: {
        ...commonInput(body),
        ...asInput(prompts),
        maxTokens: isScoring ? 1 : (maximum ?? null),
        reasoning: { effort: null },
      },
      native: {
        dialect,
        fields: { ...nativeFields(body, interpreted, ['n', 'best_of', 'prompt']), ...(isScoring && { max_tokens: 0 }) },
        messages: [[]],
        required,
        fixes,
        prompts,
        answers: prompts.length * Math.max(countIn(body['n']), countIn(body['best_of'])),
      },
      ignored: (provider, by) => (provider !== undefined && core.supportsDialect(provider, dialect, by) ? [] : ignored),
      spell: (field) => {
        if (field === 'prompt' || field.startsWith('messages')) return 'prompt'
        return required.includes(field) ? field.replace(/\[0\]$/, '') : spellField(field, 'max_tokens')
      },
      toBody: ({ data, meta }) => toCompletion(data, meta.requestId),
      toEvents: (requestId, created) =>
        new CompletionWriter({ requestId, created, model, includeUsage: asksForUsage(body) }),
    }
  },
}

/** How many completions are asked for. OpenAI rejects other values. */
function countIn(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) > 1 ? (value as number) : 1
}

interface ReadPrompt {
  /** Texts, or the number of tokens of each. */
  readonly prompts: readonly (string | number)[]
  /** The fields that only a provider of the API can honor. */
  readonly required: readonly string[]
}

/** A text, tokens of a text, or a list of either. */
function readPrompt(prompt: unknown): ReadPrompt {
  if (!isPresent(prompt)) throw invalid('prompt', 'is required')
  if (typeof prompt === 'string') return { prompts: [prompt], required: [] }
  if (!Array.isArray(prompt) || prompt.length === 0)
    throw invalid('prompt', 'must be text, or a list of texts or tokens')
  const list: readonly unknown[] = prompt.every((each) => typeof each === 'number') ? [prompt] : prompt
  const prompts = list.map((each, index) => {
    if (typeof each === 'string') return each
    if (Array.isArray(each) && each.every((token) => typeof token === 'number')) return each.length
    throw invalid(`prompt[${index}]`, 'must be text or tokens')
  })
  const hasTokens = prompts.some((each) => typeof each === 'number')
  return { prompts, required: hasTokens ? ['prompt[0]'] : prompts.length > 1 ? ['prompt'] : [] }
}

/** The prompts as one text, which stands for them in core. One that has no words is a message, which providers of the API get. */
function asInput(prompts: ReadPrompt['prompts']): Fields {
  const texts = prompts.map((each) => (typeof each === 'string' ? each : `[${each} tokens]`))
  const text = texts.join('\n')
  return /\S/.test(text) ? { prompt: text } : { messages: [{ role: 'user', content: [{ type: 'text', text }] }] }
}

/** A whole result, with the fields that only the upstream's own answer has. */
function toCompletion(result: Generation & WithAnswer, requestId: string) {
  const { content, model, created } = result
  const { response, finishReason, logprobs, usage } = toTextAnswer(result)
  const choices = response?.native?.[dialect]?.['choices']
  const [ownChoice, ...others] = Array.isArray(choices) ? (choices as readonly unknown[]) : []
  const { message: _message, ...own } = isObject(ownChoice) ? ownChoice : ({} as Fields)
  const facts: HeadFacts = { requestId, created, model }
  return {
    ...toHead('text_completion', facts, response, { dialect, prefix: 'cmpl-' }),
    choices: [{ ...toChoice(content, toFinishReason(finishReason), logprobs), ...own }, ...others],
    usage: toUsage(usage, dialect),
  }
}
