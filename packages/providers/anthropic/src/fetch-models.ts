import { type Model, ProviderError } from '@fairlead/core/provider'
import type { FindKnown, HttpClient } from '@fairlead/provider-toolkit'
import { canThink, findRules } from './model-rules.ts'
import { modelList, type WireModel } from './wire.ts'

const perPage = 1_000
/** For models that are listed without a maximum response length. */
export const cautiousMaxTokens = 4_096

/** The models that the key can use, with the prices of those that the catalog knows. */
export async function fetchModels(
  client: HttpClient,
  known: FindKnown,
  signal: AbortSignal,
): Promise<readonly Model[]> {
  const { data, has_more } = await client.getJson({ path: `/v1/models?limit=${perPage}`, schema: modelList, signal })
  if (has_more) throw new ProviderError('give_up', `the API lists more than ${perPage} models`)
  return data.filter(({ lifecycle }) => lifecycle !== 'retired').map((model) => toModel(model, known(model.id)))
}

/** A model that the API does not list. */
export function assumedModel(id: string): Model {
  return toModel({ id, display_name: id }, undefined)
}

function toModel(model: WireModel, known: Model | undefined): Model {
  const { id, display_name, max_input_tokens, max_tokens, capabilities } = model
  const { structured = false, vision = true, maxStopSequences = 1_000 } = known?.type === 'text' ? known : {}
  const maxTokens = max_tokens || known?.maxTokens
  const takesImages = capabilities?.image_input?.supported ?? vision
  return {
    type: 'text',
    id,
    name: display_name,
    description: known?.description ?? 'By Anthropic.',
    ...(maxTokens ? { maxTokens } : { maxTokens: cautiousMaxTokens, maxTokensUnknown: true }),
    // The API does not list these two: every model of the Messages API has them.
    chat: true,
    tools: true,
    vision: takesImages,
    urls: takesImages,
    structured: capabilities?.structured_outputs?.supported ?? structured,
    reasoning: canThink(findRules(id)),
    maxStopSequences,
    ...(max_input_tokens ? { contextSize: max_input_tokens } : {}),
    ...(known?.pricing && { pricing: known.pricing }),
  }
}
