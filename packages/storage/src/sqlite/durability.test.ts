import { join } from 'node:path'
import { createIds } from '@fairlead/core/adapter'
import { someUsage, testClock } from '@fairlead/testing'
import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { faultyConnection } from '../testing/faulty-connection.ts'
import { inspectDatabase, queryFile } from '../testing/inspect-database.ts'
import { copyAfterPowerFailure, countSyncs, openTraced } from '../testing/power-failure.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { storesOn } from './sqlite-stores.ts'
import { createTransactionQueue } from './transaction-queue.ts'

const usage = { durable: false }
const newId = createIds(Date.now)

describe('the transaction queue', () => {
  test('the transaction queue syncs the log in the commit of durable work, and of no other', async () => {
    const { queue, add, syncs } = world()
    await queue.write(() => add(1))
    expect(syncs()).toBe(1)
    await queue.write(() => add(2), usage)
    await queue.write(() => add(3), usage)
    expect(syncs()).toBe(1)
    await queue.write(() => add(4))
    expect(syncs()).toBe(2)
  })

  test('the transaction queue syncs once for all work of a transaction where one piece of it is durable', async () => {
    const { queue, add, syncs } = world()
    await Promise.all([queue.write(() => add(1), usage), queue.write(() => add(2)), queue.write(() => add(3), usage)])
    expect(syncs()).toBe(1)
  })

  test('the transaction queue syncs what is not durable 150 ms after its commit, once', async () => {
    const { queue, add, syncs, pass } = world()
    await queue.write(() => add(1), usage)
    await pass(100)
    await queue.write(() => add(2), usage)
    await pass(49)
    expect(syncs()).toBe(0)
    await pass(1)
    expect(syncs()).toBe(1)
    await pass(1_000)
    expect(syncs()).toBe(1)
  })

  test('the transaction queue syncs what is not durable also where durable work that changes nothing comes after it', async () => {
    const { queue, add, syncs, pass } = world()
    await queue.write(() => add(1), usage)
    await queue.write(async () => {})
    expect(syncs()).toBe(0)
    await pass(150)
    expect(syncs()).toBe(1)
  })

  test('the transaction queue syncs again after a sync that failed', async () => {
    const { queue, add, syncs, pass, failNext } = world()
    await queue.write(() => add(1), usage)
    failNext('commit', 1)
    await pass(150)
    expect(syncs()).toBe(0)
    await pass(150)
    expect(syncs()).toBe(1)
  })

  test('the transaction queue syncs what is left before it closes', async () => {
    const { queue, add, syncs } = world()
    await queue.write(() => add(1), usage)
    const last = queue.write(() => add(2), usage)
    await queue.close()
    await last
    expect(syncs()).toBe(1)
  })
})

describe('a power failure', () => {
  test('a power failure undoes no durable write, at most the last 200 ms of usage, and damages nothing', async () => {
    const step = constantFrom('write', 'call', 'call', '60 ms', '60 ms', '60 ms')
    await assert(
      asyncProperty(array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const path = newFile()
        fakeTime()
        const stores = await storesOn(openTraced(path), testClock())
        const written: string[] = []
        const calls: { readonly runId: string; readonly at: number }[] = []
        const call = async () => {
          await stores.reserve('k', null)
          const record = someUsage(newId, { counter: 'k' })
          await stores.addUsage(record)
          calls.push({ runId: record.runId, at: Date.now() })
        }
        for (const each of steps) {
          if (each === 'write') {
            const name = `setting ${written.length}`
            await stores.transact((tx) => tx.settings.set(name, 'x'))
            written.push(name)
          } else if (each === 'call') {
            await call()
          } else {
            vi.advanceTimersByTime(60)
            await settled(stores)
          }

          const copy = newFile()
          copyAfterPowerFailure(path, copy)
          const { integrity, used } = inspectDatabase(copy)
          expect(integrity).toBe('ok')
          const kept = new Set(queryFile<{ name: string }>(copy, 'select name from settings').map(({ name }) => name))
          expect(written.filter((name) => !kept.has(name))).toEqual([])
          const records = queryFile<{ run_id: string }>(copy, 'select run_id from usage_records')
          const recorded = new Set(records.map(({ run_id: runId }) => runId))
          expect(calls.filter(({ runId, at }) => !recorded.has(runId) && at < Date.now() - 200)).toEqual([])
          expect(used('k')).toBeGreaterThanOrEqual(recorded.size)
        }
        await stores.close()
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 5) },
    )
  })
})

/** A queue over a traced file with one table of numbers; timers fire when the test says so. */
function world() {
  const path = newFile()
  fakeTime()
  const real = openTraced(path)
  real.exec('pragma synchronous = normal; create table rows (n)')
  const { connection, failNext } = faultyConnection(real)
  const queue = createTransactionQueue(connection)
  return {
    queue,
    failNext,
    add: async (n: number) => void real.prepare('insert into rows values (?)').run(n),
    syncs: () => countSyncs(path),
    async pass(ms: number) {
      vi.advanceTimersByTime(ms)
      await settled(queue)
    },
  }
}

function fakeTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Waits until a transaction that is queued has ended: reads of the next turn come after it. */
async function settled(queue: { read(work: () => Promise<void>): Promise<void> }): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await queue.read(async () => {})
}

function newFile(): string {
  return join(temporaryDirectory(), 'some.db')
}
