import { defineLookUp } from '../../runtime/define-look-up.ts'
import { getModel } from '../models/get-model.ts'
import { toModelRecord } from '../models/model-record.ts'

/** Models by their ids, alone or as `provider/id`. */
export const findModels = defineLookUp({
  access: getModel.access,
  output: getModel.output,
  async find({ registry }, _asked, ids) {
    const found = ids.map((id) => [id, registry.find(id)] as const)
    return new Map(found.flatMap(([id, model]) => (model ? [[id, { data: toModelRecord(model) }]] : [])))
  },
})
