import { z } from 'zod'
import { defineOperation } from '../../runtime/define-operation.ts'
import type { Shipment } from '../../values/shipment.ts'
import { eventData, referenceTaken, shipmentRecord, shown } from './shipment-record.ts'
import { shipmentFields } from './shipment-schemas.ts'

export const createShipment = defineOperation({
  name: 'createShipment',
  summary: 'Creates a shipment.',
  kind: 'write',
  access: { scope: 'shipments' },
  metered: true,
  rest: { method: 'POST', path: '/shipments' },
  graphql: { mutation: 'createShipment' },
  input: z.strictObject({
    ...shipmentFields,
    status: z.literal('pending').default('pending').describe('Initial status.'),
  }),
  output: shipmentRecord,
  creates: true,
  versioned: true,
  errors: ['CONFLICT'],
  async apply(tx, call, input) {
    const shipment: Shipment = {
      ...input,
      id: call.newId('shp'),
      userId: call.caller.kind === 'account' ? call.caller.userId : null,
      history: [{ status: input.status, at: call.at }],
      createdAt: call.at,
      updatedAt: call.at,
      version: 1,
    }
    if (!(await tx.shipments.add(shipment))) throw referenceTaken(shipment.reference)
    call.emit('shipment.created', eventData(shipment))
    return shown(call, shipment)
  },
})
