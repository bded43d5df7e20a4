import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { faultyConnection } from '../testing/faulty-connection.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { createTransactionQueue } from './transaction-queue.ts'

describe('the transaction queue', () => {
  test('the transaction queue commits the work of one turn of the event loop in one transaction', async () => {
    const { queue, add, rows, runs } = world()
    await Promise.all([1, 2, 3].map((n) => queue.write(() => add(n))))
    expect(rows()).toEqual([1, 2, 3])
    expect(runs('commit')).toBe(1)
  })

  test('the transaction queue rolls back only the work that fails', async () => {
    const { queue, add, rows } = world()
    const outcomes = await Promise.allSettled([
      queue.write(() => add(1)),
      queue.write(async () => {
        await add(2)
        throw new Error('no')
      }),
      queue.write(() => add(3)),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(rows()).toEqual([1, 3])
  })

  test('the transaction queue resolves no write before its commit', async () => {
    const { queue, add, connection } = world()
    const open: boolean[] = []
    await Promise.allSettled([
      queue.write(() => add(1)).then(() => open.push(connection.isTransaction)),
      queue.write(() => Promise.reject(new Error('no'))).catch(() => open.push(connection.isTransaction)),
      queue.write(() => add(2)),
    ])
    expect(open).toEqual([false, false])
  })

  test('the transaction queue reads what is committed, before the writes of the same turn', async () => {
    const { queue, add, rows } = world()
    const writing = queue.write(() => add(1))
    expect(await queue.read(async () => rows())).toEqual([])
    await writing
    expect(await queue.read(async () => rows())).toEqual([1])
  })

  test('the transaction queue rolls back changes of a read', async () => {
    const { queue, add, rows } = world()
    await queue.read(() => add(1))
    expect(rows()).toEqual([])
  })

  test('the transaction queue rejects a transaction inside another one, which would wait for itself', async () => {
    const { queue, add, rows } = world()
    const outer = queue.write(async () => {
      await add(1)
      await queue.write(() => add(2))
    })
    await expect(outer).rejects.toThrow('inside another one')
    await expect(queue.write(() => queue.read(async () => 1))).rejects.toThrow('inside another one')
    expect(rows()).toEqual([])
  })

  test('the transaction queue accepts a transaction from work that has ended', async () => {
    const { queue, add, rows } = world()
    let later: Promise<void> | undefined
    await queue.write(async () => {
      later = Promise.resolve()
        .then(() => sleep(1))
        .then(() => queue.write(() => add(1)))
    })
    await later
    expect(rows()).toEqual([1])
  })

  test('the transaction queue rejects work that awaits something other than the database, and continues', async () => {
    const { queue, add, rows } = world()
    const never = queue.write(async () => {
      await add(1)
      await new Promise(() => {})
    })
    const next = queue.write(() => add(2))
    await expect(never).rejects.toThrow('other than its own methods')
    await next
    expect(rows()).toEqual([2])
  })

  test('the transaction queue rejects later queries of work that it rejected, so that they do not join another transaction', async () => {
    const { queue, add, rows } = world()
    let late: Promise<unknown> | undefined
    const slow = queue.write(async () => {
      const woken = sleep(5)
      late = woken.then(() => add(1))
      await woken
    })
    await expect(slow).rejects.toThrow('other than its own methods')
    await expect(late).rejects.toThrow('outside of its own work')
    expect(rows()).toEqual([])
  })

  test('the transaction queue rejects queries outside of any transaction', async () => {
    const { add } = world()
    await expect(add(1)).rejects.toThrow('outside of its own work')
  })

  test('the transaction queue rejects all work of a commit that fails, and continues', async () => {
    const { queue, add, rows, failNext } = world()
    failNext('commit', 1)
    const outcomes = await Promise.allSettled([queue.write(() => add(1)), queue.write(() => add(2))])
    expect(outcomes).toMatchObject([
      { reason: { code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1000 } },
      { reason: { code: 'SERVICE_UNAVAILABLE' } },
    ])
    await queue.write(() => add(3))
    expect(rows()).toEqual([3])
  })

  test('the transaction queue begins the next transaction clean after a rollback that failed', async () => {
    const { queue, add, rows, failNext } = world()
    failNext('commit', 1)
    failNext('rollback', 1)
    await expect(queue.write(() => add(1))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await queue.write(() => add(2))
    expect(rows()).toEqual([2])
  })

  test('the transaction queue rejects work only while rollbacks keep failing', async () => {
    const { queue, add, rows, failNext } = world()
    failNext('commit', 1)
    failNext('rollback', 3)
    for (const n of [1, 2]) {
      await expect(queue.write(() => add(n))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    }
    await queue.write(() => add(3))
    expect(rows()).toEqual([3])
  })

  test('the transaction queue waits for another process that writes, and reads meanwhile', async () => {
    const { queue, add, rows, path } = world()
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    other.exec('begin immediate; insert into rows values (1)')
    const writing = queue.write(() => add(2))
    await expect.poll(() => queue.read(async () => rows())).toEqual([])
    other.exec('commit')
    await writing
    expect(rows()).toEqual([1, 2])
  })

  test('the transaction queue finishes queued work before it closes, and accepts no more', async () => {
    const { queue, add, rows } = world()
    const writing = Promise.all([1, 2, 3].map((n) => queue.write(() => add(n))))
    const closing = queue.close()
    await expect(queue.write(() => add(4))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await Promise.all([writing, closing])
    expect(rows()).toEqual([1, 2, 3])
  })

  test('the transaction queue rejects work beyond 10,000 transactions that wait', async () => {
    const { queue } = world()
    const all = Array.from({ length: 10_001 }, () => queue.read(async () => true))
    const outcomes = await Promise.allSettled(all)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10_000)
    expect(outcomes[10_000]).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1000 } })
  })
})

describe('the event loop while many transactions are queued', () => {
  test('the event loop while many transactions are queued is blocked for at most 8 ms at a time', async () => {
    const { queue, add, rows } = world()
    const ended: number[] = []
    const work = Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        queue.write(async () => {
          await add(n)
          work1ms()
          ended.push(n)
        }),
      ),
    )
    const perTurn: number[] = []
    while (ended.length < 100) {
      const before = ended.length
      await new Promise((resolve) => setImmediate(resolve))
      perTurn.push(ended.length - before)
    }
    await work
    expect(rows()).toHaveLength(100)
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(8)
  })
})

describe('writes at once', () => {
  test('writes at once share a transaction and a savepoint with each other, but not with other work', async () => {
    const { queue, numbers, add, rows, runs } = world()
    const writes = [1, 2, 3].map((n) => queue.writeAtOnce(numbers, n))
    await Promise.all([...writes, queue.write(() => add(4))])
    expect(rows()).toEqual([1, 2, 3, 4])
    expect(runs('commit')).toBe(2)
    expect(runs('savepoint job')).toBe(2)
  })

  test('writes at once keep their effect if another one fails, each once', async () => {
    const { queue, numbers, rows } = world()
    const outcomes = await Promise.allSettled([
      queue.writeAtOnce(numbers, 1),
      queue.writeAtOnce(numbers, 'refused'),
      queue.writeAtOnce(numbers, 3),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(rows()).toEqual([1, 3])
  })

  test('writes at once fail together with a commit that fails', async () => {
    const { queue, numbers, rows, failNext } = world()
    failNext('commit', 1)
    const outcomes = await Promise.allSettled([1, 2].map((n) => queue.writeAtOnce(numbers, n)))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(rows()).toEqual([])
    await queue.writeAtOnce(numbers, 3)
    expect(rows()).toEqual([3])
  })

  test('writes at once are not accepted inside a transaction', async () => {
    const { queue, numbers, rows } = world()
    await expect(queue.write(() => queue.writeAtOnce(numbers, 1))).rejects.toThrow('inside another one')
    expect(rows()).toEqual([])
  })

  test('writes at once end before the queue closes, on disk', async () => {
    const { queue, numbers, rows, runs } = world()
    const writing = queue.writeAtOnce(numbers, 1)
    await queue.close()
    await writing
    expect(rows()).toEqual([1])
    expect(runs('pragma user_version = 1')).toBe(1)
  })

  test('writes at once leave the event loop free after 200 of them', async () => {
    const { queue, numbers, runs } = world()
    await Promise.all(Array.from({ length: 401 }, (_, n) => queue.writeAtOnce(numbers, n)))
    expect(runs('commit')).toBe(3)
  })
})

/** A queue over a file with one table of numbers. */
function world() {
  const path = join(temporaryDirectory(), 'numbers.db')
  const real = new DatabaseSync(path, { timeout: 1 })
  onTestFinished(() => real.close())
  real.exec('pragma journal_mode = wal; pragma synchronous = normal; create table rows (n)')
  const { connection, ...faults } = faultyConnection(real)
  const queue = createTransactionQueue(connection)
  const insert = real.prepare('insert into rows values (?)')
  const addAtOnce = (value: number | 'refused') => {
    insert.run(value)
    if (value === 'refused') throw new Error('no')
  }
  return {
    path,
    connection,
    queue,
    ...faults,
    /** Adds a number in a later microtask, like Kysely. */
    async add(n: number) {
      await Promise.resolve()
      queue.admit()
      insert.run(n)
    },
    numbers: {
      write: addAtOnce,
      writeAll: (values: readonly (number | 'refused')[]) => values.map(addAtOnce),
    },
    rows: () =>
      real
        .prepare('select n from rows order by n')
        .all()
        .map(({ n }) => n),
  }
}

/** Blocks the thread, like a heavy statement. */
function work1ms() {
  const endAt = performance.now() + 1
  while (performance.now() < endAt);
}
