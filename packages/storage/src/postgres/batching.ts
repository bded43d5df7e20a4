import type { Reading, Reservation } from '@fairlead/core/stores'

/** Items in one batch, so that a statement has room for its parameters (PostgreSQL: 65,535). */
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

/** Collects the items that arrive while a batch of their key is in flight, and runs them as the next batch. */
export function inBatches<Item, Result>({ keyOf, run }: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  /** By key; a queue exists while a batch is in flight. */
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
      void drain(key, opened)
    })
}

/** Takes as many of the units as the limit allows, in one statement. */
export type TakeUnits = (wanted: {
  readonly counter: string
  readonly limit: number | null
  readonly units: number
}) => Promise<Reading & { readonly units: number }>

/** Takes the units of concurrent calls for one counter in one statement: the row of a busy key is locked once for all. */
export function reserveTogether(take: TakeUnits): (counter: string, limit: number | null) => Promise<Reservation> {
  const reserve = inBatches<{ readonly counter: string; readonly limit: number | null }, Reservation>({
    keyOf: ({ counter, limit }) => `${limit} ${counter}`,
    run: async (asked) => share(asked.length, await take({ ...asked[0]!, units: asked.length })),
  })
  return (counter, limit) => reserve({ counter, limit })
}

/** Grants the units to those who came first, each with the count as it stood after its own unit. */
function share(asked: number, { units, used, period }: Reading & { readonly units: number }): readonly Reservation[] {
  return Array.from({ length: asked }, (_, index) => {
    const granted = index < units
    return { granted, period, used: granted ? used - units + index + 1 : used }
  })
}
