import type { Caller, Found } from '@fairlead/core'
import { defineLoader, toFound } from '@fairlead/core/feature'
import { keyRecord, mayManageKeys, toKeyRecord } from './keys/key.ts'
import { budgetStatus, budgetStatuses } from './usage/budget-status.ts'
import { requestRecord, toRequestRecord, visibleRequests, withNames } from './usage/request.ts'
import { credentialUsage, getUsage, usageThisMonth } from './usage/usage.ts'
import { roleIn } from './projects/member.ts'
import { projectRecord, toProjectRecord } from './projects/project.ts'
import type { AccountServices } from './services.ts'
import { type UserRow, type UserRecord, toUserRecord, userRecord, visibleUserId } from './users/user.ts'

export const findUsers = defineLoader({
  access: { scope: 'users' },
  output: userRecord,
  find: ({ stores }: AccountServices, { caller }, ids) =>
    stores.read(async (view) => toFoundUsers(caller, await view.users.findMany(ids))),
})

/** Maps the users that the caller may read by id. */
export function toFoundUsers(caller: Caller, users: readonly UserRow[]): ReadonlyMap<string, Found<UserRecord>> {
  const only = visibleUserId(caller)
  return toFound(
    users.filter(({ id }) => id === (only ?? id)),
    toUserRecord,
  )
}

/** Personal projects are not among them: only the operation finds them. */
export const findProjects = defineLoader({
  access: { scope: 'projects' },
  output: projectRecord,
  find: ({ stores }: AccountServices, { caller }, ids) =>
    stores.read(async (view) => {
      const found = new Map<string, Found<ReturnType<typeof toProjectRecord>>>()
      for (const project of await view.projects.findMany(ids)) {
        const role = await roleIn(view, caller, project.id)
        if (role) found.set(project.id, { data: toProjectRecord(project, role), version: project.version })
      }
      return found
    }),
})

export const findKeys = defineLoader({
  access: { scope: 'keys' },
  output: keyRecord,
  find: ({ stores }: AccountServices, { caller }, ids) =>
    stores.read(async (view) => {
      const visible = (await view.keys.findMany(ids)).filter(({ userId }) => mayManageKeys(caller, userId))
      const found = await view.owners.findMany([...new Set(visible.map(({ userId }) => userId))])
      const owners = new Map(found.map((owner) => [owner.id, owner]))
      return new Map(
        visible.flatMap((key) => {
          const owner = owners.get(key.userId)
          return owner ? [[key.id, { data: toKeyRecord(key, owner) }] as const] : []
        }),
      )
    }),
})

/** Loads the budgets of users by user id. Users without a budget have none. */
export const findUserBudgets = defineLoader({
  access: findUsers.access,
  output: budgetStatus,
  find: ({ stores }: AccountServices, { caller, at }, ids) =>
    stores.read(async (view) => {
      const only = visibleUserId(caller)
      const users = (await view.users.findMany(ids)).filter(({ id }) => id === (only ?? id))
      return toFound(await budgetStatuses(view.spend, { owners: users }, at), (budget) => budget)
    }),
})

/** Loads the budgets of API keys by key id. Keys without a budget have none. */
export const findKeyBudgets = defineLoader({
  access: findKeys.access,
  output: budgetStatus,
  find: ({ stores }: AccountServices, { caller, at }, ids) =>
    stores.read(async (view) => {
      const keys = (await view.keys.findMany(ids)).filter(({ userId }) => mayManageKeys(caller, userId))
      return toFound(await budgetStatuses(view.spend, { keys }, at), (budget) => budget)
    }),
})

/** Loads this month's usage of the caller's own keys by key id. Keys that were not usable this month have none. */
export const findKeyUsage = defineLoader({
  access: getUsage.access,
  output: credentialUsage,
  async find({ stores }: AccountServices, call) {
    const { credentials } = await usageThisMonth(stores, call)
    return new Map(credentials.flatMap((usage) => (usage.id === null ? [] : [[usage.id, { data: usage }]])))
  },
})

export const findRequests = defineLoader({
  access: { scope: 'usage' },
  output: requestRecord,
  find: ({ stores }: AccountServices, { caller }, ids) =>
    stores.read(async (view) => {
      const found = await withNames(view, visibleRequests(caller, await view.usage.findMany(ids)))
      return new Map(found.map((record) => [record.runId, { data: toRequestRecord(record) }]))
    }),
})
