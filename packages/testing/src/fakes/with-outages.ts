import { FairleadError } from '@fairlead/core'
import type { Stores } from './own-features.ts'

/** Stores whose transactions can be made to fail, as if the disk were full or the database unavailable. */
export function withOutages(stores: Stores): Stores & { failNext(transactions: number): void } {
  let failures = 0
  function mayFail() {
    if (failures === 0) return
    failures -= 1
    throw new FairleadError('SERVICE_UNAVAILABLE', 'The store is unavailable.', {
      retryAfterMs: 1000,
      cause: new Error('the disk is full'),
    })
  }
  return {
    ...stores,
    failNext(transactions) {
      failures = transactions
    },
    async transact(work, options) {
      mayFail()
      return stores.transact(work, options)
    },
    async reserve(counter, limit) {
      mayFail()
      return stores.reserve(counter, limit)
    },
    async addUsage(record) {
      mayFail()
      return stores.addUsage(record)
    },
  }
}
