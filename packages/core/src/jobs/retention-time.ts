import type { Stores } from '../ports/stores.ts'

const setting = 'retention_time'
/** How far one round of retention may move the time. With a round each hour, a service that was down for a month needs six days to catch up. */
const maxStepMs = 6 * 3_600_000

/**
 * The time by which retention tells ages: the clock's, but at most six hours after that of the last round. Otherwise one
 * round while a clock is a year ahead would remove everything.
 */
export function advanceRetentionTime(stores: Stores, now: number): Promise<number> {
  return stores.transact(async ({ settings }) => {
    const last = await settings.get(setting)
    const time = last === undefined ? now : Math.min(now, Number(last) + maxStepMs)
    await settings.set(setting, String(time))
    return time
  })
}
