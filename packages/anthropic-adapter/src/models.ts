import type { Model } from '@fairlead/core/types'
import type { Endpoint } from '@fairlead/http'

/** `GET /v1/models`: all that can answer, on one page. */
export const listModels: Endpoint = {
  method: 'GET',
  path: '/v1/models',
  operation: 'models',
  translate: () => ({
    input: {},
    toBody({ data }) {
      const models = (data as readonly Model[]).filter(answers).map(toModel)
      return { data: models, has_more: false, first_id: models[0]?.id ?? null, last_id: models.at(-1)?.id ?? null }
    },
  }),
}

/** `GET /v1/models/{id}` */
export const getModel: Endpoint = {
  method: 'GET',
  path: '/v1/models/{+id}',
  operation: 'model',
  translate: ({ parameters }) => ({ input: parameters, toBody: ({ data }) => toModel(data) }),
}

/** Whether a model can answer a message. */
function answers({ type, capabilities }: Model): boolean {
  return type === 'text' && !capabilities.embedding
}

/** Models have no dates here. */
function toModel({ id, name, type, maxTokens, capabilities: { contextSize } }: Model) {
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
