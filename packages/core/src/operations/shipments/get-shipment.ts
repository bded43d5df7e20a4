import { z } from 'zod'
import { defineOperation } from '../../runtime/define-operation.ts'
import { requireMatch } from '../require-match.ts'
import { shipmentRecord, shown, visible } from './shipment-record.ts'
import { shipmentFacts } from './shipment-schemas.ts'

export const getShipment = defineOperation({
  name: 'shipment',
  summary: 'Returns a shipment.',
  kind: 'read',
  access: { scope: 'shipments' },
  metered: true,
  rest: { method: 'GET', path: '/shipments/{id}' },
  graphql: { query: 'shipment', node: 'shp' },
  input: z.strictObject({ id: shipmentFacts.id }),
  output: shipmentRecord,
  versioned: true,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
  async prepare({ stores }, call, { id }) {
    const shipment = visible(call.caller, await stores.read((view) => view.shipments.find(id)))
    requireMatch(call, shipment.version)
    return shipment
  },
  run: async (_services, call, shipment) => shown(call, shipment),
})
