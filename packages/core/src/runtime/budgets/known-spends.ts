import { lruCache } from '../lru-cache.ts'
import { type Amount, type SpendKey, spendName } from './budget.ts'

const maxKnown = 10_000

/**
 * The spends of exhausted budgets. It only grows within a period, so a client that goes on sending is rejected without
 * the store, and does not lock the rows that other calls need.
 */
export class KnownSpends {
  readonly #spent = lruCache<Amount>(maxKnown)

  get(key: SpendKey): Amount {
    return this.#spent.get(spendName(key)) ?? 0
  }

  set(key: SpendKey, spent: Amount): void {
    this.#spent.set(spendName(key), spent)
  }
}
