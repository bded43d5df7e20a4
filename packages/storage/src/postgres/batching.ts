import type { CounterStore, Reservation } from '@fairlead/core/stores'
import { share, type WantedUnits } from '../runtime/counters.ts'
import type { TakenUnits } from './take-unlocked.ts'

/** Items in one batch, so that a statement takes a short time. */
const maxBatch = 500

export interface BatchOptions<Item, Result> {
  /** Items of one key share a batch. */
  keyOf(item: Item): string
  /** Runs a batch, and returns a result for each item in their order. An error rejects all of them. */
  run(items: readonly Item[]): Promise<readonly Result[]>
}

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Runs the items that arrive in one turn of the event loop as a batch, and those that arrive while a batch of their key is
 * in flight as the next one.
 */
export function inBatches<Item, Result>({ keyOf, run }: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  /** By key; a queue exists until its last batch has ended. */
  const queues = new Map<string, Waiting<Item, Result>[]>()

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, index) => resolve(results[index]!))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async function drain(key: string, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) await runBatch(queue.splice(0, maxBatch))
    queues.delete(key)
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const key = keyOf(item)
      const queue = queues.get(key)
      if (queue) return void queue.push({ item, resolve, reject })
      const opened = [{ item, resolve, reject }]
      queues.set(key, opened)
      setImmediate(() => void drain(key, opened))
    })
}

interface Asked {
  readonly counter: string
  readonly limit: number | null
}

export interface ReserveOptions {
  /** Takes units of several counters, and leaves out those that it would have to wait for. Wants each counter once. */
  takeUnlocked(wanted: readonly WantedUnits[]): Promise<readonly TakenUnits[]>
  /** Takes as many units of one counter as its limit allows. */
  take(wanted: WantedUnits): Promise<Omit<TakenUnits, 'counter'>>
}

/**
 * Takes the units of concurrent calls in one statement. Calls for a counter that the statement left out share another one,
 * so that a counter which is locked for long delays no other.
 */
export function reserveTogether({ takeUnlocked, take }: ReserveOptions): CounterStore['reserve'] {
  const reserveUnlocked = inBatches<Asked, Reservation | undefined>({
    keyOf: () => 'all',
    async run(asked) {
      const wanted = new Map<string, Asked & { units: number }>()
      for (const { counter, limit } of asked) {
        const same = wanted.get(counter)
        if (!same) wanted.set(counter, { counter, limit, units: 1 })
        else if (same.limit === limit) same.units += 1
      }
      const taken = await takeUnlocked([...wanted.values()])
      const shares = new Map(taken.map((units) => [units.counter, share(units)]))
      // A call whose limit was changed meanwhile is left out, too.
      const isWanted = ({ counter, limit }: Asked) => wanted.get(counter)?.limit === limit
      return asked.map((each) => (isWanted(each) ? shares.get(each.counter)?.next().value : undefined))
    },
  })
  const reserveOfOne = inBatches<Asked, Reservation>({
    keyOf: ({ counter, limit }) => `${limit} ${counter}`,
    async run(asked) {
      const reservations = share(await take({ ...asked[0]!, units: asked.length }))
      return asked.map(() => reservations.next().value)
    },
  })
  return async (counter, limit) =>
    (await reserveUnlocked({ counter, limit })) ?? (await reserveOfOne({ counter, limit }))
}
