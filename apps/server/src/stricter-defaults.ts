import type { Log } from '@fairlead/core'
import type { Stores } from '@fairlead/core/stores'

// Defaults that are stricter for new databases. The migration of a database from before stores what it keeps.

/** Undefined for a new database. */
export async function sessionDaysOf(stores: Stores, log: Pick<Log, 'warn'>): Promise<number | undefined> {
  const kept = await stores.read((view) => view.settings.get('session_days'))
  if (kept !== 'unlimited') return undefined
  log.warn(
    { variable: 'FAIRLEAD_SESSION_DAYS' },
    'sessions have no end while they are refreshed, as this database had them before: set FAIRLEAD_SESSION_DAYS, such as 30',
  )
  return Infinity
}
