import { z } from 'zod'
import type { Call } from '../../runtime/call.ts'
import type { Caller } from '../../access/caller.ts'
import { FairleadError } from '../../values/fairlead-error.ts'
import type { Shipment } from '../../values/shipment.ts'
import { shipmentFacts, shipmentFields, shipmentStatus } from './shipment-schemas.ts'

/** A shipment as callers see it. */
export const shipmentRecord = z
  .object({
    id: shipmentFacts.id,
    reference: z.string().describe('Reference, chosen by the owner.'),
    status: shipmentStatus,
    carrier: shipmentFields.carrier.unwrap(),
    trackingNumber: shipmentFields.trackingNumber.unwrap(),
    origin: shipmentFields.origin,
    destination: shipmentFields.destination,
    parcels: shipmentFields.parcels,
    notes: shipmentFields.notes.unwrap(),
    metadata: shipmentFields.metadata.unwrap(),
    estimatedDelivery: shipmentFields.estimatedDelivery.unwrap(),
    createdAt: shipmentFacts.createdAt,
    updatedAt: shipmentFacts.updatedAt,
    history: shipmentFacts.history,
  })
  .meta({ id: 'Shipment', description: 'A shipment.' })

export function toShipmentRecord(shipment: Shipment): z.output<typeof shipmentRecord> {
  const { userId: _owner, version: _version, parcels, metadata, history, createdAt, updatedAt, ...facts } = shipment
  return {
    ...facts,
    parcels: [...parcels],
    metadata: { ...metadata },
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    history: history.map(({ status, at }) => ({ status, at: new Date(at).toISOString() })),
  }
}

/** Answers with a shipment at its version. */
export function shown(call: Call, shipment: Shipment): z.output<typeof shipmentRecord> {
  call.version(shipment.version)
  return toShipmentRecord(shipment)
}

/** Whose shipments a caller sees; undefined for all. */
export function visibleOwner(caller: Caller): string | undefined {
  return caller.kind === 'account' && caller.role !== 'admin' ? caller.userId : undefined
}

/** The shipment, or `NOT_FOUND` where there is none that the caller may know of. */
export function visible(caller: Caller, shipment: Shipment | undefined): Shipment {
  const owner = visibleOwner(caller)
  if (!shipment || (owner !== undefined && owner !== shipment.userId)) {
    throw new FairleadError('NOT_FOUND', 'Shipment not found.')
  }
  return shipment
}

export function referenceTaken(reference: string): FairleadError {
  return new FairleadError('CONFLICT', `There is a shipment with the reference "${reference}" already.`, {
    issues: [{ field: 'reference', issue: 'is taken by another shipment' }],
  })
}

/** What an event tells of a shipment; hooks that want more ask for it. */
export function eventData({ id, reference, status }: Shipment) {
  return { id, reference, status }
}
