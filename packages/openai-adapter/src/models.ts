import type { Model } from '@fairlead/core/types'
import { modelEndpoints } from '@fairlead/http'

/** `GET /models` and `GET /models/{id}` */
export const models = modelEndpoints('/models', toModel, (all) => ({ object: 'list', data: all.map(toModel) }))

/** Models have no date of creation here. */
function toModel({ id, provider }: Model) {
  return { id, object: 'model', created: 0, owned_by: provider }
}
