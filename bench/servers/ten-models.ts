import type { Model, Provider } from '@fairlead/core/provider'
import { instantProvider } from './instant-provider.ts'

const [model] = instantProvider.models as readonly Model[]

/** Ten models, as many as a typical list shows. */
export const tenModels: Provider = {
  ...instantProvider,
  models: Array.from({ length: 10 }, (_, n) => ({ ...model, id: `instant-${n}` })) as readonly Model[],
}
