import type { Caller } from '../../access/caller.ts'
import { defineLookUp, type Found } from '../../runtime/define-look-up.ts'
import type { DataOf } from '../../runtime/define-operation.ts'
import type { User } from '../../values/user.ts'
import { visibleOwner } from '../shipments/shipment-record.ts'
import { getUser } from '../users/get-user.ts'
import { toUserRecord, visibleUserId } from '../users/user-record.ts'

type FoundUser = Found<DataOf<typeof getUser>>

/** The owners of shipments, by the shipments' ids. */
export const findShipmentOwners = defineLookUp({
  access: getUser.access,
  output: getUser.output,
  find: ({ stores }, { caller }, ids) =>
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
