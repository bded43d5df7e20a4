import { requireAccount } from '../runtime/access.ts'
import { defineLookUp } from '../runtime/loaders.ts'
import { getKey } from './keys.ts'
import { presentUser, toKeyRecord } from './key.ts'
import { credentialUsage, getUsage, usageThisMonth } from './usage.ts'
import type { AccountServices } from './services.ts'

/** The caller's own keys by their ids. */
export const findKeys = defineLookUp({
  access: getKey.access,
  output: getKey.output,
  find: ({ stores }: AccountServices, { caller }, ids) =>
    stores.read(async (view) => {
      const { userId } = requireAccount(caller)
      const user = presentUser(await view.users.find(userId))
      const own = (await view.keys.findMany(ids)).filter((key) => key.userId === userId)
      return new Map(own.map((key) => [key.id, { data: toKeyRecord(key, user) }]))
    }),
})

/** What the caller's own keys used this month, by the keys' ids; nothing for a key that was not good in it. */
export const findKeyUsage = defineLookUp({
  access: getUsage.access,
  output: credentialUsage,
  async find({ stores }: AccountServices, { caller, at }) {
    const { credentials } = await usageThisMonth(stores, requireAccount(caller).userId, at)
    return new Map(credentials.flatMap((usage) => (usage.id === null ? [] : [[usage.id, { data: usage }]])))
  },
})
