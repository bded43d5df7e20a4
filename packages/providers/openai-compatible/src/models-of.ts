import type { Provider } from '@fairlead/core/provider'
import { offeredModels } from '@fairlead/provider-catalogue'
import type { HttpClient } from '@fairlead/provider-http'
import { modelList, toModels } from './fetched-models.ts'
import type { OpenaiCompatibleOptions } from './options.ts'
import type { Preset } from './presets.ts'

/** Aggregators list some hundred models, each with a page of text. */
const mostListBytes = 16 * 1024 * 1024

export interface ModelSource {
  readonly preset: Preset
  readonly baseUrl: string
  readonly http: HttpClient
  /** Whether models answer in JSON of a schema. */
  readonly structured: boolean
}

/** The models that are given, known, or to be asked for, in this order. */
export function modelsOf(
  { models, clock }: OpenaiCompatibleOptions,
  { preset, baseUrl, http, structured }: ModelSource,
): () => Provider['models'] {
  const { name: serverName, isLocal = false, publisher } = preset
  const isPublished = publisher !== undefined && isOwnAddress(baseUrl, preset)
  const choice = models ?? preset.models ?? (isPublished ? undefined : 'fetched')
  return offeredModels(publisher, { models: choice, clock }, async ({ signal }, known) => {
    const listed = await listModels(http, signal)
    return toModels(listed, { serverName, isLocal, structured, known: (id) => known.get(id) })
  })
}

export function listModels(http: HttpClient, signal: AbortSignal) {
  return http.getJson({ path: '/models', schema: modelList, signal, mostBytes: mostListBytes })
}

/** Elsewhere, as behind a proxy, other models may be had. A region's address is the publisher's own. */
function isOwnAddress(baseUrl: string, preset: Preset): boolean {
  const [host, own] = [URL.parse(baseUrl)?.hostname, URL.parse(preset.baseUrl ?? '')?.hostname]
  return host === own || host?.endsWith(`.${own}`) === true
}
