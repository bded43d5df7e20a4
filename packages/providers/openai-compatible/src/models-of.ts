import type { Model, Provider } from '@fairlead/core/provider'
import { offeredModels } from '@fairlead/provider-catalogue'
import type { HttpClient } from '@fairlead/provider-http'
import { type ListedModel, modelList, toModelRule, toModels } from './fetched-models.ts'
import type { ModelRule } from './model-rules.ts'
import type { OllamaApi } from './ollama.ts'
import type { OpenaiCompatibleOptions } from './options.ts'
import type { Preset } from './presets.ts'

/** Aggregators list hundreds of models, each with a page of text. */
const maxListBytes = 16 * 1024 * 1024

export interface ModelSource {
  readonly preset: Preset
  readonly baseUrl: string
  readonly http: HttpClient
  /** Of an Ollama server. */
  readonly ollama: OllamaApi | undefined
  /** Whether models can respond with JSON of a schema. */
  readonly structured: boolean
  /** Receives the rules of models whose server reports them. */
  readonly rules: Map<string, ModelRule>
}

/** The models that the options name, the catalogue's, or the server's list, in this order. */
export function modelsOf({ models, clock }: OpenaiCompatibleOptions, source: ModelSource): () => Provider['models'] {
  const { preset, baseUrl, http } = source
  const isPublished = preset.publisher !== undefined && isOwnAddress(baseUrl, preset)
  const choice = models ?? preset.models ?? (isPublished ? undefined : 'fetched')
  return offeredModels(preset.publisher, { models: choice, clock }, async ({ signal }, known) =>
    toOffered(await listModels(http, signal), known, source, signal),
  )
}

export function listModels(http: HttpClient, signal: AbortSignal) {
  return http.getJson({ path: '/models', schema: modelList, signal, maxBytes: maxListBytes })
}

async function toOffered(
  listed: readonly ListedModel[],
  known: ReadonlyMap<string, Model>,
  { preset: { name: serverName, isLocal = false }, ollama, structured, rules }: ModelSource,
  signal: AbortSignal,
): Promise<readonly Model[]> {
  const facts = { serverName, isLocal, structured, known: (id: string) => known.get(id) }
  for (const entry of listed) {
    const rule = toModelRule(entry)
    if (rule) rules.set(entry.id, rule)
  }
  if (!ollama) return toModels(listed, facts)
  return toModels(await describedByOllama(listed, ollama, rules, signal), facts)
}

/** Adds the context of each model, and leaves out models that do not write text. */
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
    const { contextSize, capabilities } = result.value
    if (capabilities) rules.set(entry.id, ollamaRule(entry.id, capabilities))
    if (capabilities && !capabilities.includes('completion')) return []
    return [{ ...entry, context_length: contextSize }]
  })
}

function ollamaRule(id: string, capabilities: readonly string[]): ModelRule {
  if (!capabilities.includes('thinking')) return {}
  return { efforts: id.includes('gpt-oss') ? ['low', 'medium', 'high'] : ['none', 'low', 'medium', 'high'] }
}

/** A proxy may offer other models than the publisher. A regional address is the publisher's own. */
function isOwnAddress(baseUrl: string, preset: Preset): boolean {
  const [host, own] = [URL.parse(baseUrl)?.hostname, URL.parse(preset.baseUrl ?? '')?.hostname]
  return host === own || host?.endsWith(`.${own}`) === true
}
