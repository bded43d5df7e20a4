import { LRUCache } from 'lru-cache'
import type { Amount, SpendKey } from './budget.ts'

const maxKnown = 10_000

/**
 * What exhausted budgets have spent. It only grows within a period, so a client that goes on sending is rejected without the
 * store, and does not lock the rows that other calls need.
 */
export class KnownSpends {
  readonly #spent = new LRUCache<string, Amount>({ max: maxKnown })

  get({ budget, period }: SpendKey): Amount {
    return this.#spent.get(`${budget}/${period}`) ?? 0
  }

  set({ budget, period }: SpendKey, spent: Amount): void {
    this.#spent.set(`${budget}/${period}`, spent)
  }
}
