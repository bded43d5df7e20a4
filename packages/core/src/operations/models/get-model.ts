import { z } from 'zod'
import { defineOperation } from '../../runtime/define-operation.ts'
import { FairleadError } from '../../values/fairlead-error.ts'
import { modelId } from '../field-schemas.ts'
import { modelRecord, toModelRecord } from './model-record.ts'
import { clip, maxNameLength } from '../../values/clip.ts'

export const getModel = defineOperation({
  name: 'model',
  summary: 'Returns a model.',
  kind: 'read',
  access: { scope: 'models' },
  metered: true,
  rest: { method: 'GET', path: '/models/{id}' },
  graphql: { query: 'model' },
  input: z.strictObject({ id: modelId.describe('Model id, alone or as `provider/id`.') }),
  output: modelRecord,
  errors: ['NOT_FOUND'],
  prepare({ registry }, _call, { id }) {
    const model = registry.find(id)
    if (!model) throw new FairleadError('NOT_FOUND', `There is no model "${clip(id, maxNameLength)}".`)
    return model
  },
  run: async (_services, _call, model) => toModelRecord(model),
})
