import type { Clock } from '../ports/clock.ts'
import type { CounterStore, Reading } from '../ports/stores.ts'
import { type Period, runningMonths } from '../values/period.ts'
import type { UndoLog } from './undo-log.ts'

export function memoryCounters(undo: UndoLog, clock: Clock): CounterStore {
  const counts = new Map<string, number>()

  const keyOf = (counter: string, period: Period) => `${counter}/${period}`
  const read = (counter: string, period: Period): Reading => ({
    period,
    used: counts.get(keyOf(counter, period)) ?? 0,
  })

  function running(counter: string): Period {
    const { month, soon } = runningMonths(clock.now())
    return counts.has(keyOf(counter, soon)) ? soon : month
  }

  return {
    peek: async (counter) => read(counter, running(counter)),
    async reserve(counter, limit) {
      const { period, used } = read(counter, running(counter))
      if (limit !== null && used >= limit) return { granted: false, period, used }
      undo.set(counts, keyOf(counter, period), used + 1)
      return { granted: true, period, used: used + 1 }
    },
    async giveBack(counter, period) {
      const { used } = read(counter, period)
      if (used > 0) undo.set(counts, keyOf(counter, period), used - 1)
    },
    async purge(before, limit) {
      const old = [...counts.keys()].filter((key) => key.slice(key.lastIndexOf('/') + 1) < before).slice(0, limit)
      for (const key of old) undo.delete(counts, key)
      return old.length
    },
  }
}
