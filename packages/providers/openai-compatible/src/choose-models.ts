import type { ProviderCall } from '@fairlead/core/provider'
import { type FindKnown, type HttpClient, type OfferedModels, offeredModels } from '@fairlead/provider-toolkit'
import { assumedModel, type ListedModel, type ModelFacts, modelList, toModelRule, toModels } from './fetched-models.ts'
import type { ModelRule } from './model-rules.ts'
import type { OllamaApi } from './ollama.ts'
import type { OpenaiCompatibleOptions } from './options.ts'
import { isOwnAddress } from './presets.ts'

/** Aggregators list hundreds of models, each with a page of text. */
const maxListBytes = 16 * 1024 * 1024

export interface ModelSource extends ModelFacts {
  readonly baseUrl: string
  readonly http: HttpClient
  /** Of an Ollama server. */
  readonly ollama: OllamaApi | undefined
  /** Receives the rules of models whose server reports them. */
  readonly rules: Map<string, ModelRule>
}

/** The models that the options name, or the models of the catalog and of the server's list. */
export function chooseModels({ models, clock }: OpenaiCompatibleOptions, source: ModelSource): OfferedModels {
  const { preset, baseUrl } = source
  const offer = {
    known: preset.publisher ?? preset.models,
    isProxy: preset.publisher !== undefined && !isOwnAddress(baseUrl, preset),
    fetchModels: preset.models
      ? undefined
      : async ({ signal }: ProviderCall, known: FindKnown) =>
          toModels(await listedModels(source, signal), known, source),
    assume: (id: string) => assumedModel(id, source),
  }
  return offeredModels({ models, clock }, offer)
}

export function listModels(http: HttpClient, signal: AbortSignal) {
  return http.getJson({ path: '/models', schema: modelList, signal, maxBytes: maxListBytes })
}

async function listedModels(
  { http, ollama, rules }: ModelSource,
  signal: AbortSignal,
): Promise<readonly ListedModel[]> {
  const entries = await listModels(http, signal)
  for (const entry of entries) {
    const rule = toModelRule(entry)
    if (rule) rules.set(entry.id, rule)
  }
  return ollama ? describedByOllama(entries, ollama, rules, signal) : entries
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
