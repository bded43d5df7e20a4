import type { Model, Pricing, TextModel } from '@fairlead/core/provider'
import { z } from 'zod'
import { type Effort, efforts, type ModelRule, type SamplingField } from './model-rules.ts'

const count = z.coerce.number().int().min(1).nullish().catch(undefined)
const price = z.union([z.number(), z.string().min(1).transform(Number)]).pipe(z.number().min(0))
const words = z.array(z.string()).nullish().catch(undefined)

/** Facts that servers are known to report about a model; each server reports some of them. */
const listedModel = z.object({
  id: z.string().min(1),
  name: z.string().nullish().catch(undefined),
  /** Together's kind of model. */
  type: z.string().nullish().catch(undefined),
  // OpenRouter, Together, Fireworks; vLLM; Groq; Mistral.
  context_length: count,
  max_model_len: count,
  context_window: count,
  max_context_length: count,
  // Groq; OpenRouter.
  max_completion_tokens: count,
  top_provider: z.object({ max_completion_tokens: count }).nullish().catch(undefined),
  // llama.cpp's server.
  meta: z.object({ n_ctx_train: count }).nullish().catch(undefined),
  // OpenRouter; Mistral; Fireworks.
  architecture: z
    .object({ output_modalities: z.array(z.string()) })
    .nullish()
    .catch(undefined),
  capabilities: z.object({ completion_chat: z.boolean() }).nullish().catch(undefined),
  supports_chat: z.boolean().nullish().catch(undefined),
  // OpenRouter.
  supported_parameters: words,
  reasoning: z.object({ mandatory: z.boolean().nullish(), supported_efforts: words }).nullish().catch(undefined),
  // US dollars per token as text at OpenRouter, per million tokens as numbers at Together.
  pricing: z
    .union([
      z.object({
        prompt: price,
        completion: price,
        input_cache_read: price.optional().catch(undefined),
        input_cache_write: price.optional().catch(undefined),
      }),
      z.object({ input: price, output: price }),
    ])
    .nullish()
    .catch(undefined),
})

export type ListedModel = z.output<typeof listedModel>

/** The reply of `GET /models`; Together's is the bare list. Entries without an id are left out. */
export const modelList = z
  .union([z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data), z.array(z.unknown())])
  .transform((entries) => entries.map((entry) => listedModel.safeParse(entry)).flatMap(({ data }) => data ?? []))

/** Where a server doesn't report a maximum response length. */
const usualMaxTokens = 4_096
/** Other kinds of models that servers list without saying so. */
const otherKinds =
  /embed|rerank|whisper|tts|transcri|moderation|dall-e|image|imagine|flux|stable-diffusion|video|sora|veo|audio|realtime|ocr|guard/i

export interface FetchedModelFacts {
  readonly serverName: string
  readonly isLocal: boolean
  readonly structured: boolean
  /** What the catalogue knows of a model; it takes precedence over what the server reports. */
  readonly known: (id: string) => Model | undefined
}

/** The text and image models of a list, each once. */
export function toModels(listed: readonly ListedModel[], facts: FetchedModelFacts): readonly Model[] {
  const models = new Map<string, Model>()
  for (const entry of listed) {
    const model = facts.known(entry.id) ?? (isChatModel(entry) ? toTextModel(entry, facts) : undefined)
    if (model && !models.has(entry.id)) models.set(entry.id, model)
  }
  return [...models.values()]
}

function isChatModel({ id, type, architecture, capabilities, supports_chat }: ListedModel): boolean {
  if (type) return ['chat', 'language', 'model'].includes(type)
  if (architecture) return architecture.output_modalities.includes('text')
  return capabilities?.completion_chat ?? supports_chat ?? !otherKinds.test(id)
}

function toTextModel(model: ListedModel, { serverName, isLocal, structured }: FetchedModelFacts): TextModel {
  const { id, name, context_length, max_model_len, context_window, max_context_length, meta } = model
  const contextSize = context_length ?? max_model_len ?? context_window ?? max_context_length ?? meta?.n_ctx_train
  const maxTokens = model.max_completion_tokens ?? model.top_provider?.max_completion_tokens ?? contextSize
  const pricing = isLocal ? { input: 0, output: 0 } : toPricing(model.pricing)
  return {
    type: 'text',
    id,
    name: name ?? id,
    description: `As listed by ${serverName}.`,
    maxTokens: maxTokens ?? usualMaxTokens,
    structured,
    ...(contextSize ? { contextSize } : {}),
    ...(pricing ? { pricing } : {}),
  }
}

const tokensPerPrice = 1_000_000

function toPricing(pricing: ListedModel['pricing']): Pricing | undefined {
  if (!pricing) return undefined
  if ('input' in pricing) return pricing
  const { prompt, completion, input_cache_read: cachedInput, input_cache_write: cacheWrite } = pricing
  return {
    input: prompt * tokensPerPrice,
    output: completion * tokensPerPrice,
    ...(cachedInput === undefined ? {} : { cachedInput: cachedInput * tokensPerPrice }),
    ...(cacheWrite === undefined ? {} : { cacheWrite: cacheWrite * tokensPerPrice }),
  }
}

const parameterNames: Readonly<Record<SamplingField, string>> = {
  temperature: 'temperature',
  topP: 'top_p',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  seed: 'seed',
  stop: 'stop',
}

/** What OpenRouter reports about the parameters and efforts of a model; undefined where it reports nothing. */
export function toModelRule({ supported_parameters: parameters, reasoning }: ListedModel): ModelRule | undefined {
  if (!parameters) return undefined
  const fields = Object.keys(parameterNames) as SamplingField[]
  const ignores = fields.filter((field) => !parameters.includes(parameterNames[field]))
  if (!reasoning) return { ignores }
  const listed: readonly string[] = reasoning.supported_efforts ?? efforts.filter((effort) => effort !== 'max')
  const accepted = efforts.filter((effort) =>
    effort === 'none' ? !reasoning.mandatory : listed.includes(effort),
  ) as readonly Effort[]
  const [lowest, ...higher] = accepted
  return lowest ? { ignores, efforts: [lowest, ...higher] } : { ignores }
}
