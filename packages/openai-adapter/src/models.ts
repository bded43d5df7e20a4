import type { ListedModel } from '@fairlead/core/types'
import { type Endpoint, modelEndpoints } from '@fairlead/http'

/**
 * `GET /models` and `GET /models/{id}`
 *
 * @param created in Unix seconds, the same for all models: their own dates are not known. Clients sort by it and show it, and
 * 0 would be a day in 1970.
 */
export function models(created: number): readonly Endpoint[] {
  const toModel = ({ id, provider }: ListedModel) => ({ id, object: 'model', created, owned_by: provider })
  return modelEndpoints('/models', toModel, (all) => ({ object: 'list', data: all.map(toModel) }))
}
