import * as z from 'zod'
import {
  listedOwner,
  ownerOf,
  dateTime,
  deletion,
  parseInstant,
  requireMatch,
  requireUnchanged,
  withFields,
} from '@fairlead/core/feature'
import { type OperationRun, FairleadError } from '@fairlead/core'
import {
  type ShipmentRow,
  type ShipmentStatus,
  maxStatuses,
  nextStatuses,
  referenceTaken,
  shipmentFacts,
  shipmentFields,
  shipmentRecord,
  shipmentStatus,
  toVersionedRecord,
  toShipmentRecord,
  visible,
  withoutDefaults,
} from './shipment.ts'
import { shipmentEvents, toShipmentSnapshot } from './events.ts'
import { findShipments } from './loaders.ts'
import type { ShipmentsTransaction } from './shipment-store.ts'
import { list, read, write } from './services.ts'

/** The common declaration of all operations of shipments. */
const ofShipments = { access: { scope: 'shipments' }, metered: true } as const

export const listShipments = list({
  name: 'shipments',
  summary: 'Lists shipments: the caller’s own, or all of them for an admin.',
  ...ofShipments,
  rest: { method: 'GET', path: '/shipments' },
  graphql: { query: 'shipments' },
  filters: {
    status: shipmentStatus.optional().describe('Only shipments with this status.'),
    carrier: z.string().optional().describe('Only shipments of this carrier.'),
    reference: z.string().optional().describe('Only shipments with this reference.'),
    userId: z.string().optional().describe('Only shipments of this user.'),
    createdAfter: dateTime.optional().describe('Only shipments created after this time.'),
    createdBefore: dateTime.optional().describe('Only shipments created before this time.'),
  },
  record: shipmentRecord,
  async find({ stores }, { caller }, { createdAfter, createdBefore, ...filters }, slice) {
    const userId = listedOwner(caller, filters.userId)
    if (userId === null) return []
    const times = { createdAfter: parseInstant(createdAfter), createdBefore: parseInstant(createdBefore) }
    return stores.read((view) => view.shipments.list({ ...filters, userId, ...times }, slice))
  },
  show: toShipmentRecord,
})

export const createShipment = write({
  name: 'createShipment',
  summary: 'Creates a shipment.',
  ...ofShipments,
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
    const shipment: ShipmentRow = {
      ...input,
      id: call.newId('shp'),
      userId: ownerOf(call.caller),
      history: [{ status: input.status, at: call.at }],
      createdAt: call.at,
      updatedAt: call.at,
      version: 1,
    }
    if (!(await tx.shipments.add(shipment))) throw referenceTaken(shipment.reference)
    call.emit(shipmentEvents.created, toShipmentSnapshot(shipment))
    return toVersionedRecord(call, shipment)
  },
})

export const getShipment = read({
  name: 'shipment',
  summary: 'Returns a shipment.',
  ...ofShipments,
  rest: { method: 'GET', path: '/shipments/{id}' },
  graphql: { query: 'shipment', node: { prefix: 'shp', loader: findShipments } },
  input: z.strictObject({ id: shipmentFacts.id }),
  output: shipmentRecord,
  versioned: true,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
  async prepare({ stores }, call, { id }) {
    const shipment = visible(call.caller, await stores.read((view) => view.shipments.find(id)))
    requireMatch(call, shipment.version)
    return shipment
  },
  run: async (_services, call, shipment) => toVersionedRecord(call, shipment),
})

const patch = z.strictObject({
  id: shipmentFacts.id,
  ...z.object(withoutDefaults(shipmentFields)).partial().shape,
  metadata: shipmentFields.metadata
    .unwrap()
    .nullable()
    .optional()
    .describe('Custom key-value pairs, which replace all existing ones.'),
  status: shipmentStatus.optional().describe('New status. Default: unchanged.'),
})

const replacement = z.strictObject({
  id: shipmentFacts.id,
  ...shipmentFields,
  status: patch.shape.status,
  createdAt: shipmentFacts.createdAt.optional(),
  updatedAt: shipmentFacts.updatedAt.optional(),
  history: shipmentFacts.history.max(maxStatuses).optional(),
})

type ShipmentUpdate = z.output<typeof patch> & Pick<z.output<typeof replacement>, 'createdAt' | 'updatedAt' | 'history'>

const update = {
  ...ofShipments,
  output: shipmentRecord,
  versioned: true,
  errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  /** Fields that are undefined keep their value. */
  async apply(
    tx: ShipmentsTransaction,
    call: OperationRun,
    { id, status, metadata, createdAt, updatedAt, history, ...fields }: ShipmentUpdate,
  ): Promise<z.output<typeof shipmentRecord>> {
    const before = await takeShipment(tx, call, id)
    requireUnchanged(toShipmentRecord(before), { createdAt, updatedAt, history })
    const after = {
      ...withFields(withStatus(before, status, call.at), fields),
      ...(metadata !== undefined && { metadata: metadata ?? {} }),
      updatedAt: call.at,
      version: before.version + 1,
    }
    if (!(await tx.shipments.replace(after))) throw referenceTaken(after.reference)
    const snapshot = toShipmentSnapshot(after)
    call.emit(shipmentEvents.updated, snapshot, after.userId)
    if (after.status !== before.status) {
      call.emit(shipmentEvents.statusChanged, { ...snapshot, from: before.status }, after.userId)
    }
    return toVersionedRecord(call, after)
  },
} as const

export const updateShipment = write({
  ...update,
  name: 'updateShipment',
  summary: 'Replaces the writable fields of a shipment. Fields that are left out are cleared, except the status.',
  rest: { method: 'PUT', path: '/shipments/{id}' },
  input: replacement,
})

export const patchShipment = write({
  ...update,
  name: 'patchShipment',
  summary: 'Updates fields of a shipment. Fields that are left out keep their value, null clears a field.',
  rest: { method: 'PATCH', path: '/shipments/{id}' },
  graphql: { mutation: 'updateShipment' },
  input: patch,
})

/** Finds and locks a shipment. Throws `NOT_FOUND`, or `PRECONDITION_FAILED` for another version. */
async function takeShipment(tx: ShipmentsTransaction, call: OperationRun, id: string): Promise<ShipmentRow> {
  const shipment = visible(call.caller, await tx.shipments.take(id))
  requireMatch(call, shipment.version)
  return shipment
}

function withStatus(shipment: ShipmentRow, status: ShipmentStatus | undefined, at: number): ShipmentRow {
  if (status === undefined || status === shipment.status) return shipment
  const allowed = nextStatuses[shipment.status]
  if (allowed.length === 0) throw fixedStatus(`cannot change: "${shipment.status}" is final`)
  if (!allowed.includes(status)) {
    throw fixedStatus(`cannot change from "${shipment.status}" to "${status}". Allowed: ${allowed.join(', ')}`)
  }
  if (shipment.history.length >= maxStatuses) {
    throw fixedStatus(`cannot change again: a shipment can have at most ${maxStatuses} statuses`)
  }
  return { ...shipment, status, history: [...shipment.history, { status, at }] }
}

function fixedStatus(issue: string): FairleadError {
  return new FairleadError('CONFLICT', `status ${issue}`, { issues: [{ field: 'status', issue }] })
}

export const deleteShipment = write({
  name: 'deleteShipment',
  summary: 'Deletes a shipment in any status.',
  ...ofShipments,
  rest: { method: 'DELETE', path: '/shipments/{id}' },
  graphql: { mutation: 'deleteShipment' },
  input: z.strictObject({ id: shipmentFacts.id }),
  output: deletion,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
  async apply(tx, call, { id }) {
    const shipment = await takeShipment(tx, call, id)
    await tx.shipments.remove(id)
    const deleted = { ...shipment, version: shipment.version + 1 }
    call.emit(shipmentEvents.deleted, toShipmentSnapshot(deleted), shipment.userId)
    return { id, deleted: true as const }
  },
})
