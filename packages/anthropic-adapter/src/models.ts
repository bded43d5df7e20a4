import type { ListedModel } from '@fairlead/core/types'
import { modelEndpoints } from '@fairlead/http'

/** `GET /v1/models`: all that can answer, on one page. `GET /v1/models/{id}`: any. */
export const models = modelEndpoints('/v1/models', toModel, (all) => {
  const data = all.filter(answers).map(toModel)
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
})

/** Whether a model can answer a message. */
function answers({ type, capabilities }: ListedModel): boolean {
  return type === 'text' && !capabilities.embedding
}

/** Models have no dates here. */
function toModel({ id, name, type, maxTokens, capabilities: { contextSize } }: ListedModel) {
  return {
    type: 'model',
    id,
    display_name: name,
    created_at: '1970-01-01T00:00:00Z',
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    line: null,
    max_input_tokens: contextSize ?? null,
    max_tokens: type === 'text' ? maxTokens : null,
    capabilities: null,
  }
}
