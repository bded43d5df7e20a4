import { MemoryTable, type UndoLog } from '../stores/memory-table.ts'
import { type Hold, type Spend, type SpendKey, spendName, type SpendStore } from './budget.ts'

export function memorySpend(undo: UndoLog): SpendStore {
  const spends = new MemoryTable<Spend>(undo)
  const holds = new MemoryTable<Hold>(undo)

  const read = ({ budget, period }: SpendKey): Spend =>
    spends.get(spendName({ budget, period })) ?? { budget, period, spent: 0, reserved: 0, marked: 0 }

  function change(key: SpendKey, changes: (spend: Spend) => Partial<Spend>): Spend {
    const before = read(key)
    const after = { ...before, ...changes(before) }
    spends.set(spendName(key), after)
    return after
  }

  /** Returns what the run had reserved. Undefined if its hold has expired. */
  function takeHold(runId: string, { budget }: SpendKey): number | undefined {
    const id = `${runId}/${budget}`
    const amount = holds.get(id)?.amount
    holds.delete(id)
    return amount
  }

  return {
    find: async (keys) => spends.findMany(keys.map(spendName)),
    async reserve(hold, limit) {
      const { spent, reserved } = read(hold)
      if (spent + reserved + hold.amount > limit) return false
      holds.set(`${hold.runId}/${hold.budget}`, hold)
      change(hold, () => ({ reserved: reserved + hold.amount }))
      return true
    },
    async settle(runId, keys, cost, reserved) {
      return keys.map((key) => {
        const held = takeHold(runId, key)
        return change(key, (spend) =>
          held === undefined
            ? { spent: spend.spent + cost - reserved }
            : { spent: spend.spent + cost, reserved: spend.reserved - held },
        )
      })
    },
    async mark(key, percent) {
      if (read(key).marked >= percent) return false
      change(key, () => ({ marked: percent }))
      return true
    },
    async spendExpired(now, limit) {
      const expired = holds.filter((hold) => hold.expiresAt <= now).slice(0, limit)
      for (const hold of expired) {
        const held = takeHold(hold.runId, hold) ?? 0
        change(hold, ({ spent, reserved }) => ({ spent: spent + held, reserved: reserved - held }))
      }
      return expired.length
    },
    async purge(before, limit) {
      const old = spends.filter(({ period }) => period < before).slice(0, limit)
      for (const spend of old) spends.delete(spendName(spend))
      return old.length
    },
  }
}
