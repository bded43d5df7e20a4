import type { Model } from '@fairlead/core/types'
import type { Endpoint } from '@fairlead/node-http'

/** `GET /v1/models`: all on one page. */
export const listModels: Endpoint = {
  method: 'GET',
  path: '/v1/models',
  operation: 'models',
  translate: () => ({
    input: {},
    toBody({ data }) {
      const models = (data as readonly Model[]).map(toModel)
      return { data: models, has_more: false, first_id: models[0]?.id ?? null, last_id: models.at(-1)?.id ?? null }
    },
  }),
}

/** `GET /v1/models/{id}` */
export const getModel: Endpoint = {
  method: 'GET',
  path: '/v1/models/{id}',
  operation: 'model',
  translate: ({ id }) => ({ input: { id }, toBody: ({ data }) => toModel(data) }),
}

/** Models have no date of creation here. */
function toModel({ id, name }: Model) {
  return { type: 'model', id, display_name: name, created_at: '1970-01-01T00:00:00Z' }
}
