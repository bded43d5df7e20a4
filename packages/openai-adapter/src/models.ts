import type { Model } from '@fairlead/core/types'
import type { Endpoint } from '@fairlead/http'

/** `GET /models` */
export const listModels: Endpoint = {
  method: 'GET',
  path: '/models',
  operation: 'models',
  translate: () => ({
    input: {},
    toBody: ({ data }) => ({ object: 'list', data: (data as readonly Model[]).map(toModel) }),
  }),
}

/** `GET /models/{id}` */
export const getModel: Endpoint = {
  method: 'GET',
  path: '/models/{+id}',
  operation: 'model',
  translate: ({ parameters }) => ({ input: parameters, toBody: ({ data }) => toModel(data) }),
}

/** Models have no date of creation here. */
function toModel({ id, provider }: Model) {
  return { id, object: 'model', created: 0, owned_by: provider }
}
