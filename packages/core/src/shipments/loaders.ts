import type { Caller } from '../runtime/access.ts'
import { defineLookUp, type Found } from '../runtime/loaders.ts'
import type { DataOf } from '../runtime/operation.ts'
import type { User } from '../accounts/user.ts'
import { visibleOwner } from './shipment.ts'
import { getUser } from '../accounts/users.ts'
import { toUserRecord, visibleUserId } from '../accounts/user.ts'
import type { ShipmentServices } from './shipment-store.ts'

type FoundUser = Found<DataOf<typeof getUser>>

/** The owners of shipments, by the shipments' ids. */
export const findShipmentOwners = defineLookUp({
  access: getUser.access,
  output: getUser.output,
  find: ({ stores }: ShipmentServices, { caller }, ids) =>
    stores.read(async (view) => {
      const only = visibleOwner(caller)
      const shipments = (await view.shipments.findMany(ids)).filter(
        ({ userId }) => only === undefined || userId === only,
      )
      const owners = new Set(shipments.map(({ userId }) => userId).filter((id) => id !== null))
      const users = owners.size === 0 ? [] : await view.users.findMany([...owners])
      const shown = new Map(visibleTo(caller, users).map((user) => [user.id, toFound(user)]))
      return new Map(shipments.flatMap(({ id, userId }) => entryOf(id, shown.get(userId ?? ''))))
    }),
})

function visibleTo(caller: Caller, users: readonly User[]): readonly User[] {
  const only = visibleUserId(caller)
  return only === undefined ? users : users.filter(({ id }) => id === only)
}

function toFound(user: User): FoundUser {
  return { data: toUserRecord(user), version: user.version }
}

function entryOf(id: string, found: FoundUser | undefined): readonly (readonly [string, FoundUser])[] {
  return found ? [[id, found]] : []
}
