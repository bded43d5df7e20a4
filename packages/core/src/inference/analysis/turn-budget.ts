import { setImmediate as nextTurn } from 'node:timers/promises'

/** Says how much work comes next, and waits for the next turn of the event loop where the last one has done enough. */
export type SpendUnits = (units: number) => Promise<void>

/** Divides long work among turns of the event loop, so that other requests are served meanwhile. */
export function turnBudget(unitsPerTurn: number): SpendUnits {
  let left = unitsPerTurn
  return async (units) => {
    left -= units
    if (left >= 0) return
    left = unitsPerTurn - units
    await nextTurn()
  }
}
