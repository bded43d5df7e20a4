import type * as z from 'zod'
import type { OperationRun } from '../../runtime/run/operation-run.ts'
import type { Estimate } from '../../runtime/budgets/estimate.ts'
import { validate } from '../../runtime/schema/validate.ts'
import { closeIterator } from '../../runtime/run/task.ts'
import { answerEvents } from '../messages/collect-answer.ts'
import { requestText, toGeneration, type WithAnswer } from './request-text.ts'
import { TextSource } from './text-source.ts'
import { estimateTokens } from '../routing/targets.ts'
import { generationEvents } from '../events.ts'
import { type Generation, type GenerationChunk, generation, generationChunk, textInput } from './generation.ts'
import { loadMedia } from '../messages/load-media.ts'
import { type TextPlan, prepareText } from './prepare-text.ts'
import { needsPromptedJson, promptedJson } from './prompted-json.ts'
import { withViews } from './generated-text.ts'
import { wholeChunks } from './text-chunks.ts'
import type { Attempt, AttemptOwner } from '../routing/attempt.ts'
import type { Target } from '../routing/route.ts'
import { action, type InferenceServices } from '../services.ts'

export type { TextPlan } from './prepare-text.ts'

/** Generates text. Rejected with `QUOTA_EXCEEDED` before any provider is called. */
export const generateText = action({
  name: 'generate',
  summary: 'Generates text from a prompt or a conversation.',
  access: { scope: 'generate' },
  metered: true,
  rest: { method: 'POST', path: '/generate', maxBodyBytes: 20 * 1_048_576 },
  graphql: { mutation: 'generate' },
  input: textInput,
  output: generation,
  isChecked: true,
  view: withViews<Generation>,
  events: generationEvents,
  prepare: prepareText,
  run: (services, call, { plan }) => generate(services, call, plan),
  estimate: (_services, _call, { plan }) => estimateText(plan),
  findStored: ({ responseCache }, call, { plan }) => responseCache.find(plan, call),
  stream: {
    chunk: generationChunk,
    eventOf,
    whole: wholeStream,
    run: (services, call, { plan }) => stream(services, call, plan),
  },
})

/**
 * Text generation for operations that are built on it. Cost, provider, attempts and warnings are added to the call, and
 * caching, routing and retries apply as for `generate`.
 */
export interface TextGeneration {
  /**
   * Finds the model and checks the input. Call it in `prepare`, where errors are free, and where a budget reserves what the text
   * may cost. Throws `INVALID_REQUEST`.
   */
  prepare(call: OperationRun, input: z.input<typeof textInput>): TextPlan
  generate(call: OperationRun, plan: TextPlan): Promise<Generation>
  /** The most that a text may use, for an `estimate` of your own. */
  estimate(plan: TextPlan): Estimate
  /** Yields the text in parts, and returns what `generate` would. */
  stream(call: OperationRun, plan: TextPlan): GeneratedChunks
}

function eventOf({ reasoning, refusal, toolCall }: GenerationChunk): string {
  if (toolCall) return 'tool_call'
  if (refusal !== undefined) return 'refusal'
  return reasoning === undefined ? 'chunk' : 'reasoning'
}

type GeneratedChunks = AsyncGenerator<GenerationChunk, Generation, undefined>

export function textGeneration(services: InferenceServices): TextGeneration {
  return {
    prepare(call, input) {
      const plan = prepareText(services, call, validate(textInput, input) as z.output<typeof textInput>)
      call.mayUse(estimateText(plan))
      return plan
    },
    generate: (call, plan) => generate(services, call, plan),
    estimate: estimateText,
    stream: (call, plan) => streamText(services, call, plan),
  }
}

function estimateText({ route, request, size, answers }: TextPlan): Estimate {
  return estimateTokens(route, { prompt: size, maxTokens: request.maxTokens, answers })
}

async function generate(services: InferenceServices, call: OperationRun, plan: TextPlan): Promise<Generation> {
  const { target, answer, cached } = await services.responseCache.attempt(plan, call, (owner) => {
    // Without media, a promise would only take time.
    const loaded = plan.hasMedia ? loadMedia(services.media, plan, owner) : plan
    return loaded instanceof Promise
      ? loaded.then((found) => ask(services, found, owner))
      : ask(services, loaded, owner)
  })
  return toGeneration(call, target.model, answer, cached ?? false)
}

function ask({ router }: InferenceServices, plan: TextPlan, owner: AttemptOwner) {
  const { route, request, size } = plan
  if (request.responseFormat && needsPromptedJson(plan)) return promptedJson(router, plan, owner)
  const send = ({ provider, id }: Target, attempt: Attempt) => requestText(provider, { ...request, model: id }, attempt)
  return router.attempt('generateText', route, owner, send, { prompt: size, maxTokens: request.maxTokens })
}

/** The stream of a text. The response of a model that is asked for JSON in words can be checked only as a whole. */
function stream(
  services: InferenceServices,
  call: OperationRun,
  plan: TextPlan,
): Promise<TextSource> | GeneratedChunks {
  const isWhole = plan.request.responseFormat && needsPromptedJson(plan)
  return isWhole ? generateWhole(services, call, plan) : openText(services, call, plan)
}

async function* generateWhole(services: InferenceServices, call: OperationRun, plan: TextPlan): GeneratedChunks {
  const result = await generate(services, call, plan)
  yield* wholeStream(result)
  return result
}

async function openText(services: InferenceServices, call: OperationRun, plan: TextPlan): Promise<TextSource> {
  const source = new TextSource(services, call, plan)
  call.unfinished = source
  await source.open()
  return source
}

/** For operations that are built on the generation of texts. */
async function* streamText(services: InferenceServices, call: OperationRun, plan: TextPlan): GeneratedChunks {
  const opening = stream(services, call, plan)
  if (!(opening instanceof Promise)) return yield* opening
  const source = await opening
  const { items } = source
  try {
    for (let next = await items.next(); !next.done; next = await items.next()) {
      const chunk = source.toChunk(next.value)
      if (chunk) yield chunk
    }
    return source.result()
  } finally {
    // The operation may have read enough, and succeed.
    void source.recordPartialUsage()
    closeIterator(items)
  }
}

/** The stream of a whole result. */
function wholeStream(result: Generation & WithAnswer): GenerationChunk[] {
  return result.answer ? ([...answerEvents(result.answer)] as never) : wholeChunks(result)
}
