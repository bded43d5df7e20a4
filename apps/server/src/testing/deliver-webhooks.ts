import { accounts } from '@fairlead/accounts'
import { createFairlead, systemClock } from '@fairlead/core'
import { webhooks } from '@fairlead/webhooks'
import { postgresStores, sqliteStores } from '@fairlead/storage'

// A process that only delivers events to webhooks on this machine. Its clock is ahead by a number of milliseconds, so that
// the leases of a process that was killed have expired.

const [, , database = '', secretKey = '', aheadMs = '0'] = process.argv
const clock = { now: () => Date.now() + Number(aheadMs), schedule: systemClock.schedule }
const stores = database.startsWith('postgres:')
  ? await postgresStores({ url: database, clock })
  : await sqliteStores({ path: database, clock })

createFairlead({
  providers: [],
  stores,
  testing: { clock },
  secretKeys: { current: secretKey },
  features: [accounts(), webhooks({ allowNetworks: ['127.0.0.1'] })],
}).core.startJobs()
