import {
  type RuntimeStores,
  MemoryTable,
  type UndoLog,
  type RuntimeTransaction,
  type RuntimeView,
  type RecordView,
  hasAll,
  recordView,
} from '@fairlead/core/stores'
import type { ShipmentRow, ShipmentFilters } from './shipment.ts'

export interface ShipmentView extends RecordView<ShipmentRow, ShipmentFilters> {}

export interface ShipmentStore extends ShipmentView {
  /** Finds a shipment and locks it against changes by other transactions until this one ends. */
  take(id: string): Promise<ShipmentRow | undefined>
  /** Returns false and adds nothing if the owner already has a shipment with that reference. */
  add(shipment: ShipmentRow): Promise<boolean>
  /** Returns false if the owner has another shipment with that reference. The transaction must then be rolled back. */
  replace(shipment: ShipmentRow): Promise<boolean>
  remove(id: string): Promise<void>
  removeAllOf(userId: string): Promise<void>
}

export function memoryShipments(undo: UndoLog): ShipmentStore {
  const shipments = new MemoryTable<ShipmentRow>(undo)
  /** Shipment ids by owner and reference. */
  const references = new MemoryTable<string>(undo)

  const store: ShipmentStore = {
    ...recordView(shipments, matches),
    take: async (id) => shipments.get(id),
    async add(shipment) {
      const reference = referenceKey(shipment)
      if (references.has(reference)) return false
      references.set(reference, shipment.id)
      shipments.set(shipment.id, shipment)
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
      references.delete(referenceKey(shipment))
      shipments.delete(id)
    },
    async removeAllOf(userId) {
      const owned = shipments.filter((shipment) => shipment.userId === userId)
      for (const { id } of owned) await store.remove(id)
    },
  }
  return store
}

function referenceKey({ userId, reference }: ShipmentRow): string {
  return `${userId ?? ''}/${reference}`
}

function matches(
  shipment: ShipmentRow,
  { createdAfter = -Infinity, createdBefore = Infinity, ...filters }: ShipmentFilters,
): boolean {
  return hasAll(shipment, filters) && shipment.createdAt > createdAfter && shipment.createdAt < createdBefore
}

/** Read access to shipments. */
export interface ShipmentsView extends RuntimeView {
  readonly shipments: ShipmentView
}

/** Read and write access to shipments. */
export interface ShipmentsTransaction extends RuntimeTransaction {
  readonly shipments: ShipmentStore
}

export type ShipmentStores = RuntimeStores<ShipmentsView, ShipmentsTransaction>
