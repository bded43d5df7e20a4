import type { Model, Pricing, TextModel } from '@fairlead/core/provider'
import type { FindKnown } from '@fairlead/provider-toolkit'
import * as z from 'zod'
import type { ServerDialect } from './dialect.ts'
import { maxTextsPerRequest } from './embeddings.ts'
import { canReason, efforts, type ModelRule, parameterNames, findRule, samplingFields } from './model-rules.ts'
import type { Preset } from './presets.ts'

const count = z.coerce.number().int().min(1).nullish().catch(undefined)
const price = z.union([z.number(), z.string().min(1).transform(Number)]).pipe(z.number().min(0))
const flag = z.boolean().nullish().catch(undefined)
const words = z.array(z.string()).nullish().catch(undefined)

/** Facts that servers are known to report about a model; each server reports some of them. */
const listedModel = z.object({
  id: z.string().min(1),
  name: z.string().nullish().catch(undefined),
  /** Other ids of the same model: Mistral. */
  aliases: words,
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
  // OpenRouter; Mistral and Azure; Fireworks.
  architecture: z
    .object({ input_modalities: words, output_modalities: z.array(z.string()) })
    .nullish()
    .catch(undefined),
  capabilities: z
    .object({ completion_chat: flag, chat_completion: flag, function_calling: flag, vision: flag })
    .nullish()
    .catch(undefined),
  supports_chat: flag,
  supports_tools: flag,
  supports_image_input: flag,
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

export type ListedModel = z.output<typeof listedModel> & {
  /** The capabilities that another API of the server reports. */
  readonly has?: { readonly tools: boolean; readonly vision: boolean }
  /** The length of the vectors of an embedding model. */
  readonly embeddingSize?: number
}

/** The reply of `GET /models`; Together's is the bare list. Entries without an id are left out. */
export const modelList = z
  .union([z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data), z.array(z.unknown())])
  .transform((entries) => entries.map((entry) => listedModel.safeParse(entry)).flatMap(({ data }) => data ?? []))

/** Models with images in their prompts, where the server doesn't report them. */
const seeingModels =
  /vision|llava|pixtral|[-_]vl\b|gemma-?[34]|gpt-(?:4o|4\.1|4-turbo|[5-9])|\bo(?:1|[3-9])\b(?!-mini)|claude|gemini|grok-[4-9]|llama-4/i
/** Listed where a server doesn't report a maximum response length. */
const usualMaxTokens = 4_096
/** Other kinds of models that servers list without saying so, and text models that need another API or a tool of the vendor. */
const otherKinds =
  /embed|rerank|whisper|tts|transcri|speech|orpheus|moderation|dall-e|image|imagine|flux|stable-diffusion|video|sora|veo|audio|realtime|ocr|guard|^(?:babbage|davinci)-|gpt-3\.5-turbo-instruct|deep-research|computer-use/i

/** Facts about the models of a server that are not in its list. */
export interface ModelFacts {
  readonly preset: Preset
  readonly dialect: ServerDialect
  /** The rules of models whose server reports them. */
  readonly rules: ReadonlyMap<string, ModelRule>
}

/**
 * The text and image models of a list, each once.
 *
 * @param known finds a model in the catalog, whose facts take precedence over what the server reports
 */
export function toModels(listed: readonly ListedModel[], known: FindKnown, facts: ModelFacts): readonly Model[] {
  const models = new Map<string, Model>()
  for (const entry of listed) {
    const { id, aliases } = entry
    const alias = aliases?.map(known).find((each) => each !== undefined)
    const model = known(id) ?? (alias && { ...alias, id }) ?? toModel(entry, facts)
    if (model && !models.has(id)) models.set(id, model)
  }
  return [...models.values()]
}

/** A model that the server does not list: it decides what the model can do. */
export function assumedModel(id: string, facts: ModelFacts): Model | undefined {
  const model = toModel({ id }, facts)
  return model && { ...model, vision: true, ...(facts.dialect.urls && { urls: true }) }
}

/** @returns undefined for a model that neither writes nor embeds texts */
function toModel(entry: ListedModel, facts: ModelFacts): TextModel | undefined {
  const { id, name, embeddingSize: dimensions } = entry
  if (dimensions === undefined && !isChatModel(entry)) return undefined
  const pricing = facts.preset.isLocal ? { input: 0, output: 0 } : toPricing(entry.pricing)
  const basics = {
    type: 'text' as const,
    id,
    name: name ?? id,
    description: `As listed by ${facts.preset.name}.`,
    ...(pricing && { pricing }),
  }
  const contextSize =
    entry.context_length ??
    entry.max_model_len ??
    entry.context_window ??
    entry.max_context_length ??
    entry.meta?.n_ctx_train
  if (dimensions !== undefined) {
    const maxTexts = maxTextsPerRequest(dimensions, facts.dialect)
    return { ...basics, maxTokens: contextSize ?? usualMaxTokens, embedding: { dimensions, maxTexts } }
  }
  const maxTokens = entry.max_completion_tokens ?? entry.top_provider?.max_completion_tokens ?? contextSize
  return {
    ...basics,
    ...(maxTokens ? { maxTokens } : { maxTokens: usualMaxTokens, maxTokensUnknown: true }),
    ...toCapabilities(entry, facts),
    ...(contextSize && { contextSize }),
  }
}

function isChatModel({ id, type, architecture, capabilities, supports_chat }: ListedModel): boolean {
  if (type) return ['chat', 'language', 'model'].includes(type)
  if (architecture) return architecture.output_modalities.includes('text')
  return capabilities?.completion_chat ?? capabilities?.chat_completion ?? supports_chat ?? !otherKinds.test(id)
}

/** A server that doesn't report whether a model calls tools says so when it is asked to. */
function toCapabilities(model: ListedModel, { dialect, rules }: ModelFacts) {
  const { id, has, capabilities, supported_parameters: parameters, architecture } = model
  const inputs = architecture?.input_modalities
  const vision =
    has?.vision ??
    capabilities?.vision ??
    model.supports_image_input ??
    inputs?.includes('image') ??
    seeingModels.test(id)
  const tools =
    has?.tools ?? capabilities?.function_calling ?? model.supports_tools ?? parameters?.includes('tools') ?? true
  const { jsonAnswers = 'json_schema', urls = false } = dialect
  return {
    chat: true,
    ...(tools && { tools }),
    ...(vision && { vision }),
    ...(vision && urls && { urls }),
    structured: jsonAnswers === 'json_schema' && (parameters?.includes('structured_outputs') ?? true),
    ...(canReason(rules.get(id) ?? findRule(dialect.reasoning, id)) && { reasoning: true }),
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

/** OpenRouter's report on the parameters and efforts of a model; undefined if it reports nothing. */
export function toModelRule({ supported_parameters: parameters, reasoning }: ListedModel): ModelRule | undefined {
  if (!parameters) return undefined
  const ignores = samplingFields.filter((field) => !parameters.includes(parameterNames[field]))
  if (!reasoning) return parameters.includes('reasoning') ? { ignores, efforts: 'any' } : { ignores }
  const listed: readonly string[] = reasoning.supported_efforts ?? efforts.filter((effort) => effort !== 'max')
  const [lowest, ...higher] = efforts.filter((effort) =>
    effort === 'none' ? !reasoning.mandatory : listed.includes(effort),
  )
  return lowest ? { ignores, efforts: [lowest, ...higher] } : { ignores }
}
