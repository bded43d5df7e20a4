import type { ListedModel } from '@fairlead/core/types'
import type { Endpoint } from './endpoint.ts'

/** The list of models at a path, and each model below it. */
export function modelEndpoints(
  path: string,
  toModel: (model: ListedModel) => unknown,
  toList: (models: readonly ListedModel[]) => unknown,
): readonly Endpoint[] {
  return [
    { method: 'GET', path, operation: 'models', translate: () => ({ input: {}, toBody: ({ data }) => toList(data) }) },
    {
      method: 'GET',
      path: `${path}/{+id}`,
      operation: 'model',
      translate: ({ parameters }) => ({ input: parameters, toBody: ({ data }) => toModel(data) }),
    },
  ]
}
