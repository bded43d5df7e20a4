import { z } from 'zod'
import { defineOperation } from '../../runtime/define-operation.ts'
import { deletion } from '../deletion.ts'
import { requireMatch } from '../require-match.ts'
import { eventData, visible } from './shipment-record.ts'
import { shipmentFacts } from './shipment-schemas.ts'

export const deleteShipment = defineOperation({
  name: 'deleteShipment',
  summary: 'Deletes a shipment in any status.',
  kind: 'write',
  access: { scope: 'shipments' },
  metered: true,
  rest: { method: 'DELETE', path: '/shipments/{id}' },
  graphql: { mutation: 'deleteShipment' },
  input: z.strictObject({ id: shipmentFacts.id }),
  output: deletion,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
  async apply(tx, call, { id }) {
    const shipment = visible(call.caller, await tx.shipments.take(id))
    requireMatch(call, shipment.version)
    await tx.shipments.remove(id)
    call.emit('shipment.deleted', eventData(shipment), shipment.userId)
    return { id, deleted: true as const }
  },
})
