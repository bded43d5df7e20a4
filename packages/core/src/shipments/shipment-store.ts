import type { Slice, RuntimeStores } from '../runtime/stores.ts'
import type { Shipment, ShipmentFilters } from './shipment.ts'
import type { AccountView, AccountTransaction } from '../accounts/stores.ts'
import type { Services } from '../runtime/call.ts'
import { sliceOf, type UndoLog } from '../runtime/memory-stores.ts'

export interface ShipmentView {
  find(id: string): Promise<Shipment | undefined>
  /** Those that there are, each once and in no order, in one look-up. */
  findMany(ids: readonly string[]): Promise<readonly Shipment[]>
  /** Every page of a long list costs about the same. */
  list(filters: ShipmentFilters, slice: Slice): Promise<readonly Shipment[]>
}

export interface ShipmentStore extends ShipmentView {
  /** Finds a shipment to change it: until the transaction ends, no other can. */
  take(id: string): Promise<Shipment | undefined>
  /** False, and nothing added, where the owner has one of that reference. */
  add(shipment: Shipment): Promise<boolean>
  /** False where the owner has another of that reference: the transaction must then be given up. */
  replace(shipment: Shipment): Promise<boolean>
  remove(id: string): Promise<void>
  removeAllOf(userId: string): Promise<void>
}

export function memoryShipments(undo: UndoLog): ShipmentStore {
  const shipments = new Map<string, Shipment>()
  /** The ids by owner and reference. */
  const references = new Map<string, string>()

  const store: ShipmentStore = {
    find: async (id) => shipments.get(id),
    findMany: async (ids) =>
      [...new Set(ids)].map((id) => shipments.get(id)).filter((shipment) => shipment !== undefined),
    take: async (id) => shipments.get(id),
    list: async (filters, slice) => {
      const fitting = [...shipments.values()].filter((shipment) => fits(shipment, filters))
      return sliceOf(fitting, slice)
    },
    async add(shipment) {
      const reference = referenceKey(shipment)
      if (references.has(reference)) return false
      undo.set(references, reference, shipment.id)
      undo.set(shipments, shipment.id, shipment)
      return true
    },
    async replace(shipment) {
      const holder = references.get(referenceKey(shipment))
      if (holder !== undefined && holder !== shipment.id) return false
      await store.remove(shipment.id)
      return store.add(shipment)
    },
    async remove(id) {
      const shipment = shipments.get(id)
      if (!shipment) return
      undo.delete(references, referenceKey(shipment))
      undo.delete(shipments, id)
    },
    async removeAllOf(userId) {
      const theirs = [...shipments.values()].filter((shipment) => shipment.userId === userId)
      for (const { id } of theirs) await store.remove(id)
    },
  }
  return store
}

function referenceKey({ userId, reference }: Shipment): string {
  return `${userId ?? ''}/${reference}`
}

function fits(
  shipment: Shipment,
  { userId, status, carrier, reference, createdAfter, createdBefore }: ShipmentFilters,
) {
  return (
    (userId === undefined || shipment.userId === userId) &&
    (status === undefined || shipment.status === status) &&
    (carrier === undefined || shipment.carrier === carrier) &&
    (reference === undefined || shipment.reference === reference) &&
    (createdAfter === undefined || shipment.createdAt > createdAfter) &&
    (createdBefore === undefined || shipment.createdAt < createdBefore)
  )
}

/** The records of shipments and their owners that may be read. */
export interface ShipmentsView extends AccountView {
  readonly shipments: ShipmentView
}

/** The records of shipments and their owners that may be changed. */
export interface ShipmentsTransaction extends AccountTransaction {
  readonly shipments: ShipmentStore
}

export type ShipmentStores = RuntimeStores<ShipmentsView, ShipmentsTransaction>

/** What the operations of shipments get as their first argument. */
export interface ShipmentServices extends Services {
  readonly stores: ShipmentStores
}
