import { z } from 'zod'
import type { Call } from '../runtime/call.ts'
import { FairleadError } from '../runtime/errors.ts'
import { dateTime, deletion, instantOf } from '../runtime/field-schemas.ts'
import { defineOperation } from '../runtime/operation.ts'
import { openPage, pageInput } from '../runtime/paging.ts'
import { requireMatch, requireUnchanged } from '../runtime/versions.ts'
import {
  type Shipment,
  type ShipmentStatus,
  maxStatuses,
  nextStatuses,
  referenceTaken,
  shipmentFacts,
  shipmentFields,
  shipmentRecord,
  shipmentStatus,
  shown,
  toShipmentRecord,
  visible,
  visibleOwner,
} from './shipment.ts'
import { shipmentEvents, toShipmentSnapshot } from './events.ts'
import { findShipments } from './loaders.ts'
import type { ShipmentServices, ShipmentsTransaction } from './shipment-store.ts'

export const listShipments = defineOperation({
  name: 'shipments',
  summary: 'Lists shipments: the caller’s own, or all of them for an admin.',
  kind: 'read',
  access: { scope: 'shipments' },
  metered: true,
  rest: { method: 'GET', path: '/shipments' },
  graphql: { query: 'shipments' },
  input: z.strictObject({
    ...pageInput,
    status: shipmentStatus.optional().describe('Only shipments with this status.'),
    carrier: z.string().optional().describe('Only shipments of this carrier.'),
    reference: z.string().optional().describe('Only shipments with this reference.'),
    userId: z.string().optional().describe('Only shipments of this user.'),
    createdAfter: dateTime.optional().describe('Only shipments created after this time.'),
    createdBefore: dateTime.optional().describe('Only shipments created before this time.'),
  }),
  output: z.array(shipmentRecord),
  paged: true,
  prepare: (_services, _call, input) => openPage('shipments', input),
  async run({ stores }: ShipmentServices, call, { filters: { createdAfter, createdBefore, ...filters }, slice, show }) {
    const { userId = visibleOwner(call.caller) } = filters
    if (userId !== (visibleOwner(call.caller) ?? userId)) return show(call, []).map(toShipmentRecord)
    const found = await stores.read((view) =>
      view.shipments.list(
        {
          ...filters,
          userId,
          createdAfter: instantOf(createdAfter),
          createdBefore: instantOf(createdBefore),
        },
        slice,
      ),
    )
    return show(call, found).map(toShipmentRecord)
  },
})

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
  async apply(tx: ShipmentsTransaction, call, input) {
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
    call.emit(shipmentEvents.created, toShipmentSnapshot(shipment))
    return shown(call, shipment)
  },
})

export const getShipment = defineOperation({
  name: 'shipment',
  summary: 'Returns a shipment.',
  kind: 'read',
  access: { scope: 'shipments' },
  metered: true,
  rest: { method: 'GET', path: '/shipments/{id}' },
  graphql: { query: 'shipment', node: { prefix: 'shp', loader: findShipments } },
  input: z.strictObject({ id: shipmentFacts.id }),
  output: shipmentRecord,
  versioned: true,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
  async prepare({ stores }: ShipmentServices, call, { id }) {
    const shipment = visible(call.caller, await stores.read((view) => view.shipments.find(id)))
    requireMatch(call, shipment.version)
    return shipment
  },
  run: async (_services, call, shipment) => shown(call, shipment),
})

export const updateShipment = defineOperation({
  name: 'updateShipment',
  summary: 'Replaces the writable fields of a shipment. Fields that are left out are cleared, except the status.',
  kind: 'write',
  access: { scope: 'shipments' },
  metered: true,
  rest: { method: 'PUT', path: '/shipments/{id}' },
  input: z.strictObject({
    id: shipmentFacts.id,
    ...shipmentFields,
    status: shipmentStatus.optional().describe('New status. Default: unchanged.'),
    createdAt: shipmentFacts.createdAt.optional(),
    updatedAt: shipmentFacts.updatedAt.optional(),
    history: shipmentFacts.history.max(maxStatuses).optional(),
  }),
  output: shipmentRecord,
  versioned: true,
  errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  async apply(tx: ShipmentsTransaction, call, { id, status, createdAt, updatedAt, history, ...fields }) {
    const before = visible(call.caller, await tx.shipments.take(id))
    requireMatch(call, before.version)
    requireUnchanged(toShipmentRecord(before), { createdAt, updatedAt, history })
    return replaceShipment(tx, call, before, { ...withStatus(before, status, call.at), ...fields })
  },
})

export const patchShipment = defineOperation({
  name: 'patchShipment',
  summary: 'Updates fields of a shipment. Fields that are left out keep their value, null clears a field.',
  kind: 'write',
  access: { scope: 'shipments' },
  metered: true,
  rest: { method: 'PATCH', path: '/shipments/{id}' },
  graphql: { mutation: 'updateShipment' },
  input: z.strictObject({
    id: shipmentFacts.id,
    reference: shipmentFields.reference.optional(),
    carrier: shipmentFields.carrier.unwrap().optional(),
    trackingNumber: shipmentFields.trackingNumber.unwrap().optional(),
    origin: shipmentFields.origin.optional(),
    destination: shipmentFields.destination.optional(),
    parcels: shipmentFields.parcels.optional(),
    notes: shipmentFields.notes.unwrap().optional(),
    metadata: shipmentFields.metadata
      .unwrap()
      .nullable()
      .optional()
      .describe('Custom key-value pairs, which replace all existing ones.'),
    estimatedDelivery: shipmentFields.estimatedDelivery.unwrap().optional(),
    status: shipmentStatus.optional().describe('New status. Default: unchanged.'),
  }),
  output: shipmentRecord,
  versioned: true,
  errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  async apply(tx: ShipmentsTransaction, call, { id, status, metadata, ...fields }) {
    const before = visible(call.caller, await tx.shipments.take(id))
    requireMatch(call, before.version)
    const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    return replaceShipment(tx, call, before, {
      ...withStatus(before, status, call.at),
      ...sent,
      ...(metadata !== undefined && { metadata: metadata ?? {} }),
    })
  },
})

async function replaceShipment(
  tx: ShipmentsTransaction,
  call: Call,
  before: Shipment,
  fields: Shipment,
): Promise<z.output<typeof shipmentRecord>> {
  const after = { ...fields, updatedAt: call.at, version: before.version + 1 }
  if (!(await tx.shipments.replace(after))) throw referenceTaken(after.reference)
  const snapshot = toShipmentSnapshot(after)
  call.emit(shipmentEvents.updated, snapshot, after.userId)
  if (after.status !== before.status) {
    call.emit(shipmentEvents.statusChanged, { ...snapshot, from: before.status }, after.userId)
  }
  return shown(call, after)
}

function withStatus(shipment: Shipment, status: ShipmentStatus | undefined, at: number): Shipment {
  if (status === undefined || status === shipment.status) return shipment
  const allowed = nextStatuses(shipment.status)
  if (!allowed.includes(status)) {
    const issue =
      allowed.length > 0
        ? `cannot change from "${shipment.status}" to "${status}". Allowed: ${allowed.join(', ')}`
        : `cannot change: "${shipment.status}" is final`
    throw new FairleadError('CONFLICT', `status ${issue}`, { issues: [{ field: 'status', issue }] })
  }
  if (shipment.history.length >= maxStatuses) {
    const issue = `cannot change again: a shipment can have at most ${maxStatuses} statuses`
    throw new FairleadError('CONFLICT', `status ${issue}`, { issues: [{ field: 'status', issue }] })
  }
  return { ...shipment, status, history: [...shipment.history, { status, at }] }
}

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
  async apply(tx: ShipmentsTransaction, call, { id }) {
    const shipment = visible(call.caller, await tx.shipments.take(id))
    requireMatch(call, shipment.version)
    await tx.shipments.remove(id)
    const deleted = { ...shipment, version: shipment.version + 1 }
    call.emit(shipmentEvents.deleted, toShipmentSnapshot(deleted), shipment.userId)
    return { id, deleted: true as const }
  },
})
