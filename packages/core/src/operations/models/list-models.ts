import { z } from 'zod'
import { defineOperation } from '../../runtime/define-operation.ts'
import { modelTypes } from '../../values/model.ts'
import { modelRecord, toModelRecord } from './model-record.ts'

export const listModels = defineOperation({
  name: 'models',
  summary: 'Lists the available models.',
  kind: 'read',
  access: { scope: 'models' },
  metered: true,
  rest: { method: 'GET', path: '/models' },
  graphql: { query: 'models' },
  input: z.strictObject({ type: z.enum(modelTypes).optional().describe('Only models of this type.') }),
  output: z.array(modelRecord),
  run: async ({ registry }, _call, { type }) => registry.models(type).map(toModelRecord),
})
