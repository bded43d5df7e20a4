import { z } from 'zod'
import { defineOperation } from '../../runtime/define-operation.ts'
import { FairleadError } from '../../values/fairlead-error.ts'
import { mostStatuses, nextStatuses, type Shipment, type ShipmentStatus } from '../../values/shipment.ts'
import { requireMatch } from '../require-match.ts'
import { requireUnchanged } from '../require-unchanged.ts'
import { eventData, referenceTaken, shipmentRecord, shown, toShipmentRecord, visible } from './shipment-record.ts'
import { shipmentFacts, shipmentFields, shipmentStatus } from './shipment-schemas.ts'

export const updateShipment = defineOperation({
  name: 'updateShipment',
  summary: 'Replaces the writable fields of a shipment. Fields that are left out are cleared, except the status.',
  kind: 'write',
  access: { scope: 'shipments' },
  metered: true,
  rest: { method: 'PUT', path: '/shipments/{id}' },
  graphql: { mutation: 'updateShipment' },
  input: z.strictObject({
    id: shipmentFacts.id,
    ...shipmentFields,
    status: shipmentStatus.optional().describe('New status. Default: unchanged.'),
    createdAt: shipmentFacts.createdAt.optional(),
    updatedAt: shipmentFacts.updatedAt.optional(),
    history: shipmentFacts.history.max(mostStatuses).optional(),
  }),
  output: shipmentRecord,
  versioned: true,
  errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  async apply(tx, call, { id, status, createdAt, updatedAt, history, ...fields }) {
    const before = visible(call.caller, await tx.shipments.take(id))
    requireMatch(call, before.version)
    requireUnchanged(toShipmentRecord(before), { createdAt, updatedAt, history })
    const after = { ...withStatus(before, status, call.at), ...fields, updatedAt: call.at, version: before.version + 1 }
    if (!(await tx.shipments.replace(after))) throw referenceTaken(after.reference)
    call.emit('shipment.updated', eventData(after), after.userId)
    if (after.status !== before.status) {
      call.emit('shipment.status_changed', { ...eventData(after), from: before.status }, after.userId)
    }
    return shown(call, after)
  },
})

function withStatus(shipment: Shipment, status: ShipmentStatus | undefined, at: number): Shipment {
  if (status === undefined || status === shipment.status) return shipment
  const allowed = nextStatuses(shipment.status)
  if (!allowed.includes(status)) {
    const issue =
      allowed.length > 0
        ? `can't become "${status}" from "${shipment.status}", only: ${allowed.join(', ')}`
        : `can't change any more: "${shipment.status}" is final`
    throw new FairleadError('CONFLICT', `status ${issue}`, { issues: [{ field: 'status', issue }] })
  }
  if (shipment.history.length >= mostStatuses) {
    const issue = `has changed too often: a shipment may have ${mostStatuses} in all`
    throw new FairleadError('CONFLICT', `status ${issue}`, { issues: [{ field: 'status', issue }] })
  }
  return { ...shipment, status, history: [...shipment.history, { status, at }] }
}
