import type { Model } from '@fairlead/core/provider'
import { type FindKnown, type HttpClient, type OfferedModels, offeredModels } from '@fairlead/provider-toolkit'
import {
  assumedModel,
  type FetchedModelFacts,
  type ListedModel,
  modelList,
  toModelRule,
  toModels,
} from './fetched-models.ts'
import type { Dialect } from './dialect.ts'
import { canReason, type ModelRule, ruleOf } from './model-rules.ts'
import type { OllamaApi } from './ollama.ts'
import type { OpenaiCompatibleOptions } from './options.ts'
import { isOwnAddress, type Preset } from './presets.ts'

/** Aggregators list hundreds of models, each with a page of text. */
const maxListBytes = 16 * 1024 * 1024

export interface ModelSource {
  readonly preset: Preset
  readonly baseUrl: string
  readonly http: HttpClient
  /** Of an Ollama server. */
  readonly ollama: OllamaApi | undefined
  readonly dialect: Dialect
  /** Receives the rules of models whose server reports them. */
  readonly rules: Map<string, ModelRule>
}

/** The models that the options name, or the catalogue's and those of the server's list. */
export function modelsOf({ models, clock }: OpenaiCompatibleOptions, source: ModelSource): OfferedModels {
  const { preset, baseUrl, http } = source
  return offeredModels(
    { models, clock },
    {
      known: preset.publisher ?? preset.models,
      isProxy: preset.publisher !== undefined && !isOwnAddress(baseUrl, preset),
      fetchModels: preset.models
        ? undefined
        : async ({ signal }, known) => toOffered(await listModels(http, signal), known, source, signal),
      assume: (id) =>
        assumedModel(
          id,
          factsOf(source, () => undefined),
        ),
    },
  )
}

export function listModels(http: HttpClient, signal: AbortSignal) {
  return http.getJson({ path: '/models', schema: modelList, signal, maxBytes: maxListBytes })
}

async function toOffered(
  listed: readonly ListedModel[],
  known: FindKnown,
  source: ModelSource,
  signal: AbortSignal,
): Promise<readonly Model[]> {
  const { ollama, rules } = source
  for (const entry of listed) {
    const rule = toModelRule(entry)
    if (rule) rules.set(entry.id, rule)
  }
  const facts = factsOf(source, known)
  if (!ollama) return toModels(listed, facts)
  return toModels(await describedByOllama(listed, ollama, rules, signal), facts)
}

function factsOf({ preset, dialect, rules }: ModelSource, known: FindKnown): FetchedModelFacts {
  return {
    serverName: preset.name,
    isLocal: preset.isLocal ?? false,
    dialect,
    known,
    reasons: (id) => canReason(rules.get(id) ?? ruleOf(dialect.reasoning, id)),
  }
}

/** Adds the context and the capabilities of each model, and leaves out models that neither write nor embed texts. */
async function describedByOllama(
  listed: readonly ListedModel[],
  ollama: OllamaApi,
  rules: Map<string, ModelRule>,
  signal: AbortSignal,
): Promise<readonly ListedModel[]> {
  const described = await Promise.allSettled(listed.map(({ id }) => ollama.describe(id, signal)))
  signal.throwIfAborted()
  return listed.flatMap((entry, index) => {
    const result = described[index]!
    // An old server, or a proxy in front of it, may lack the endpoint.
    if (result.status === 'rejected') return [entry]
    const { contextSize, capabilities, embeddingSize } = result.value
    const known = { ...entry, context_length: contextSize }
    if (!capabilities) return [known]
    rules.set(entry.id, ollamaRule(entry.id, capabilities))
    if (capabilities.includes('completion')) {
      const has = { tools: capabilities.includes('tools'), vision: capabilities.includes('vision') }
      return [{ ...known, has }]
    }
    return capabilities.includes('embedding') && embeddingSize ? [{ ...known, embeddingSize }] : []
  })
}

function ollamaRule(id: string, capabilities: readonly string[]): ModelRule {
  if (!capabilities.includes('thinking')) return {}
  return { efforts: id.includes('gpt-oss') ? ['low', 'medium', 'high'] : ['none', 'low', 'medium', 'high'] }
}
