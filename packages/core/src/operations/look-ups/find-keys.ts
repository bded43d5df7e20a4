import { requireAccount } from '../../access/require-account.ts'
import { defineLookUp } from '../../runtime/define-look-up.ts'
import { getKey } from '../keys/get-key.ts'
import { presentUser, toKeyRecord } from '../keys/key-record.ts'
import { credentialUsage, getUsage, usageThisMonth } from '../usage/get-usage.ts'

/** The caller's own keys by their ids. */
export const findKeys = defineLookUp({
  access: getKey.access,
  output: getKey.output,
  find: ({ stores }, { caller }, ids) =>
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
  async find({ stores }, { caller, at }) {
    const { credentials } = await usageThisMonth(stores, requireAccount(caller).userId, at)
    return new Map(credentials.flatMap((usage) => (usage.id === null ? [] : [[usage.id, { data: usage }]])))
  },
})
