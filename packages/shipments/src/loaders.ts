import type { Caller, Services } from '@fairlead/core'
import { visibleOwner, defineLoader, toFound } from '@fairlead/core/feature'
import type { RuntimeStores } from '@fairlead/core/stores'
import { toFoundUsers, userRecord } from '@fairlead/accounts'
import type { AccountView } from '@fairlead/accounts/stores'
import { type ShipmentRow, shipmentRecord, toShipmentRecord } from './shipment.ts'
import type { ShipmentsView } from './shipment-store.ts'
import type { ShipmentServices } from './services.ts'

export const findShipments = defineLoader({
  access: { scope: 'shipments' },
  output: shipmentRecord,
  find: ({ stores }: ShipmentServices, { caller }, ids) =>
    stores.read(async (view) => toFound(await visibleShipments(view, caller, ids), toShipmentRecord)),
})

interface OwnerServices extends Services {
  readonly stores: RuntimeStores<ShipmentsView & AccountView>
}

export const findShipmentOwners = defineLoader({
  access: { scope: 'users' },
  output: userRecord,
  find: ({ stores }: OwnerServices, { caller }, ids) =>
    stores.read(async (view) => {
      const shipments = await visibleShipments(view, caller, ids)
      const owners = new Set(shipments.map(({ userId }) => userId).filter((id) => id !== null))
      const users = owners.size === 0 ? [] : await view.users.findMany([...owners])
      const found = toFoundUsers(caller, users)
      return new Map(
        shipments.flatMap(({ id, userId }) => {
          const owner = found.get(userId ?? '')
          return owner ? [[id, owner] as const] : []
        }),
      )
    }),
})

async function visibleShipments(
  view: ShipmentsView,
  caller: Caller,
  ids: readonly string[],
): Promise<readonly ShipmentRow[]> {
  const only = visibleOwner(caller)
  return (await view.shipments.findMany(ids)).filter(({ userId }) => only === undefined || userId === only)
}
