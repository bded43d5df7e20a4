import { type Clock, systemClock } from '../runtime/clock.ts'
import { memoryAccounts, memoryThrottles } from '../accounts/memory-accounts.ts'
import type { Stores, Transaction } from './feature-stores.ts'
import { memoryImages } from '../gateway/images/images.ts'
import { memoryShipments } from '../shipments/shipment-store.ts'
import {
  memoryClaims,
  memoryCounters,
  memorySettings,
  memoryUsage,
  memoryWriteChecks,
} from '../runtime/stores/memory-stores.ts'
import type { UndoLog } from '../runtime/stores/memory-table.ts'
import { memoryWebhooks } from '../webhooks/memory-webhooks.ts'

/**
 * Creates stores in memory, which are lost when the process ends: for tests and embedding, and as the reference for other
 * stores. Transactions run one after the other. A rejected one is rolled back.
 */
export function memoryStores({ clock = systemClock }: { readonly clock?: Clock } = {}): Stores {
  const undo: UndoLog = []
  const accounts = memoryAccounts(undo)
  const tx: Transaction = {
    ...accounts,
    settings: memorySettings(undo),
    writeChecks: memoryWriteChecks(undo),
    throttles: memoryThrottles(undo),
    counters: memoryCounters(undo, clock),
    usage: memoryUsage(undo),
    images: memoryImages(undo),
    claims: memoryClaims(undo, clock),
    shipments: memoryShipments(undo),
    ...memoryWebhooks(undo, accounts.users.find),
    // Transactions run one after the other, so locks are not needed.
    lock: async () => {},
  }
  let last: Promise<unknown> = Promise.resolve()

  function queue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }

  const transact: Stores['transact'] = (work) =>
    queue(async () => {
      try {
        const result = await work(tx)
        undo.length = 0
        return result
      } catch (error) {
        while (undo.length > 0) undo.pop()?.()
        throw error
      }
    })

  return {
    transact,
    reserve: (counter, limit) => transact(() => tx.counters.reserve(counter, limit)),
    addUsage: (record) => transact(() => tx.usage.add(record)),
    read: (work) => queue(() => work(tx)),
    close: async () => {
      await last
    },
  }
}
