import { createIds } from '@fairlead/core/adapter'
import { someUsage, testClock, testStores } from '@fairlead/testing'
import { type StoredUsage } from '@fairlead/core/stores'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startExporter, type UsageBatch, type UsageDestination } from './exporter.ts'

const newId = createIds(Date.now)
const everyMs = 60_000

/** A destination that keeps the last content of each batch, as files do. */
function keeper(write?: (batch: UsageBatch) => Promise<void>) {
  const batches = new Map<string, readonly string[]>()
  const writes: string[] = []
  const destination: UsageDestination = {
    name: 'keeper',
    async write(batch) {
      writes.push(batch.id)
      batches.set(
        batch.id,
        batch.records.map(({ runId }) => runId),
      )
      await write?.(batch)
    },
  }
  return { destination, writes, batches, exported: () => [...batches.values()].flat() }
}

function world() {
  const clock = testClock()
  const stores = testStores({ clock })
  const logged: unknown[] = []
  const add = async (count: number) => {
    const usages = Array.from({ length: count }, () => someUsage(newId))
    for (const usage of usages) await stores.addUsage(usage)
    return usages.map(({ runId }) => runId)
  }
  /** Starts an exporter, as a process does, and waits for its first round. */
  const start = (destination: UsageDestination, storedUsage: StoredUsage = stores.storedUsage!) => {
    const log = { error() {}, warn: (facts: object) => void logged.push(facts) }
    const exporter = startExporter({ stores, storedUsage, clock, log, destination, everyMs })
    onTestFinished(() => exporter.stop())
    return exporter
  }
  /** The value after some rounds. */
  const later = <Value>(value: () => Value) =>
    expect.poll(() => {
      clock.advance(everyMs)
      return value()
    })
  return { stores, logged, add, start, later }
}

describe('a usage exporter', () => {
  test('a usage exporter writes what is stored, and later what was added since', async () => {
    const { add, start, later } = world()
    const { destination, exported } = keeper()
    const first = await add(3)
    start(destination)
    await later(exported).toEqual(first)
    const second = await add(2)
    await later(exported).toHaveLength(5)
    expect(exported()).toEqual([...first, ...second])
  })

  test('a usage exporter goes on where another one ended', async () => {
    const { add, start, later } = world()
    const { destination, writes, exported } = keeper()
    const first = await add(3)
    const exporter = start(destination)
    await later(exported).toEqual(first)
    await exporter.stop()
    const second = await add(1)
    start(destination)
    await later(exported).toEqual([...first, ...second])
    expect(writes).toHaveLength(2)
  })

  test('a usage exporter writes more than a batch in one round', async () => {
    const { add, start, later } = world()
    const { destination, batches, exported } = keeper()
    const all = await add(5_001)
    start(destination)
    await later(exported).toEqual(all)
    expect([...batches.values()].map(({ length }) => length)).toEqual([5_000, 1])
    expect([...batches.keys()]).toEqual([...batches.keys()].toSorted())
  })

  test('a usage exporter writes a batch again with the same records if it failed, although more were stored since', async () => {
    const { add, start, logged, later } = world()
    let fails = true
    const { destination, writes, batches } = keeper(async () => {
      if (fails) throw new Error('the disk is full')
    })
    const first = await add(2)
    start(destination)
    await later(() => logged).toMatchObject([{ destination: 'keeper', error: { message: 'the disk is full' } }])
    fails = false
    const second = await add(1)
    await later(() => [...batches.values()]).toEqual([first, second])
    expect(writes[1]).toBe(writes[0])
  })

  test('a usage exporter that is killed while it writes leaves the same batch to another one, after 15 seconds', async () => {
    const { add, start, later } = world()
    const killed = Promise.withResolvers<void>()
    const first = await add(2)
    const hanging = keeper(() => killed.promise)
    start(hanging.destination)
    onTestFinished(() => killed.resolve())
    await later(() => hanging.writes).toHaveLength(1)
    const second = await add(1)
    const other = keeper()
    start(other.destination)
    await later(() => [...other.batches]).toEqual([
      [hanging.writes[0], first],
      [expect.any(String), second],
    ])
    killed.resolve()
  })

  test('usage exporters that run at once write each record once', async () => {
    const { add, start, later } = world()
    const all = await add(20)
    const keepers = [keeper(), keeper(), keeper()]
    for (const { destination } of keepers) start(destination)
    const exported = () => keepers.flatMap((each) => each.exported()).toSorted()
    for (let round = 0; round < 5; round++) {
      all.push(...(await add(5)))
      await later(() => exported().length).toBe(all.length)
    }
    expect(exported()).toEqual(all.toSorted())
  })

  test('a usage exporter waits until the store is prepared, and tries again if that fails', async () => {
    const { add, start, stores, later } = world()
    const all = await add(1)
    let failures = 1
    const { destination, exported } = keeper()
    start(destination, {
      prepare: async () => {
        if (failures-- > 0) throw new Error('not the owner of the table')
      },
      after: stores.storedUsage!.after,
    })
    await later(exported).toHaveLength(1)
    expect(exported()).toEqual(all)
  })
})
