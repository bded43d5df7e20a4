import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { faultyConnection } from '../testing/faulty-connection.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { createTransactionQueue } from './transaction-queue.ts'

describe('the transaction queue', () => {
  test('keeps what was queued in one turn with one commit', async () => {
    const { queue, add, rows, runs } = world()
    await Promise.all([1, 2, 3].map((n) => queue.write(() => add(n))))
    expect(rows()).toEqual([1, 2, 3])
    expect(runs('commit')).toBe(1)
  })

  test('takes back the work that fails, and no other', async () => {
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

  test('tells nobody that work is kept before it is', async () => {
    const { queue, add, connection } = world()
    const open: boolean[] = []
    await Promise.allSettled([
      queue.write(() => add(1)).then(() => open.push(connection.isTransaction)),
      queue.write(() => Promise.reject(new Error('no'))).catch(() => open.push(connection.isTransaction)),
      queue.write(() => add(2)),
    ])
    expect(open).toEqual([false, false])
  })

  test('looks up what is committed, while writes of the same turn wait', async () => {
    const { queue, add, rows } = world()
    const writing = queue.write(() => add(1))
    expect(await queue.read(async () => rows())).toEqual([])
    await writing
    expect(await queue.read(async () => rows())).toEqual([1])
  })

  test('keeps nothing that a look-up changed', async () => {
    const { queue, add, rows } = world()
    await queue.read(() => add(1))
    expect(rows()).toEqual([])
  })

  test('refuses a transaction inside another one, which would wait for itself', async () => {
    const { queue, add, rows } = world()
    const outer = queue.write(async () => {
      await add(1)
      await queue.write(() => add(2))
    })
    await expect(outer).rejects.toThrow('inside another one')
    await expect(queue.write(() => queue.read(async () => 1))).rejects.toThrow('inside another one')
    expect(rows()).toEqual([])
  })

  test('lets work that has ended ask for another transaction', async () => {
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

  test('cuts off work that waits for something other than the database, and goes on', async () => {
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

  test('refuses queries of work that was cut off, lest they land in the transaction of another', async () => {
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

  test('refuses work that would wait behind too much, whoever joined what waits', async () => {
    const { queue, add, rows } = world()
    const first = queue.write(() => add(1))
    for (let joined = 1; joined < 10_000; joined++) queue.join()
    expect(() => queue.join()).toThrow('Too much waits')
    await expect(queue.write(() => add(2))).rejects.toThrow('Too much waits')
    await first
    await queue.write(() => add(3))
    expect(rows()).toEqual([1, 3])
  })

  test('refuses queries from outside of any work', async () => {
    const { add } = world()
    await expect(add(1)).rejects.toThrow('outside of its own work')
  })

  test('loses what a failing commit would have kept, says so to all, and goes on', async () => {
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

  test('survives a rollback that fails too: the next transaction begins clean', async () => {
    const { queue, add, rows, failNext } = world()
    failNext('commit', 1)
    failNext('rollback', 1)
    await expect(queue.write(() => add(1))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await queue.write(() => add(2))
    expect(rows()).toEqual([2])
  })

  test('fails alone, not for ever, while rollbacks keep failing', async () => {
    const { queue, add, rows, failNext } = world()
    failNext('commit', 1)
    failNext('rollback', 3)
    for (const n of [1, 2]) {
      await expect(queue.write(() => add(n))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    }
    await queue.write(() => add(3))
    expect(rows()).toEqual([3])
  })

  test('waits for another process that writes, and looks things up meanwhile', async () => {
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

  test('finishes what waits before it closes, and takes no more', async () => {
    const { queue, add, rows } = world()
    const writing = Promise.all([1, 2, 3].map((n) => queue.write(() => add(n))))
    const closing = queue.close()
    await expect(queue.write(() => add(4))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await Promise.all([writing, closing])
    expect(rows()).toEqual([1, 2, 3])
  })

  test('is bounded', async () => {
    const { queue } = world()
    const all = Array.from({ length: 10_001 }, () => queue.read(async () => true))
    const outcomes = await Promise.allSettled(all)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10_000)
    expect(outcomes[10_000]).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1000 } })
  })
})

describe('a flush to the disk', () => {
  test('comes before durable work is told, or what was seen of it', async () => {
    const { flush, flushing } = heldFlush()
    const { queue, add, rows } = world(flush)
    const told: string[] = []
    void queue.write(() => add(1)).then(() => told.push('write'))
    await flushing()
    void queue.read(async () => rows()).then((seen) => told.push(`read ${String(seen)}`))
    await turns(5)
    expect(told).toEqual([])
    flushing.end()
    await expect.poll(() => told).toEqual(['write', 'read 1'])
  })

  test('keeps nobody who does not ask for it: neither the event loop, nor unsynced work, nor look-ups later', async () => {
    const { flush, flushing } = heldFlush()
    const { queue, add, rows } = world(flush)
    const durable = queue.write(() => add(1))
    await queue.writeUnsynced(() => add(2))
    await queue.writeUnsynced(() => add(3))
    flushing.end()
    await durable
    expect(await queue.read(async () => rows())).toEqual([1, 2, 3])
  })

  test('finds in the files all that is told after it', async () => {
    const copies = temporaryDirectory()
    let flushes = 0
    // What a power cut during the flush would leave at the most.
    const { queue, add, path } = world(async () => {
      const copy = join(copies, `${++flushes}.db`)
      copyFileSync(path, copy)
      copyFileSync(`${path}-wal`, `${copy}-wal`)
    })
    const kept = () => {
      const copy = new DatabaseSync(join(copies, `${flushes}.db`))
      const found = copy.prepare('select n from rows order by n').all()
      copy.close()
      return found.map(({ n }) => n)
    }
    for (const n of [1, 2, 3, 4]) {
      await Promise.all([queue.write(() => add(n)), queue.writeUnsynced(() => add(10 + n))])
      expect(kept()).toContain(n)
    }
  })

  test('serves all who committed before it began, and nobody who came later', async () => {
    const { flush, flushing } = heldFlush()
    const { queue, add } = world(flush)
    const told: number[] = []
    const write = (n: number) => void queue.write(() => add(n)).then(() => told.push(n))
    write(1)
    await flushing()
    write(2)
    await turns(5)
    write(3)
    await turns(5)
    flushing.end()
    await expect.poll(() => told).toEqual([1])
    await flushing()
    flushing.end()
    await expect.poll(() => told).toEqual([1, 2, 3])
    expect(flush).toHaveBeenCalledTimes(2)
  })

  test('is not needed for work that failed', async () => {
    const { flush } = heldFlush()
    const { queue } = world(flush)
    await expect(queue.write(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(flush).not.toHaveBeenCalled()
  })

  test('that fails is told, and the log is written once more before anything else is', async () => {
    const { flush, rewrite } = failingFlush()
    const { queue, add, rows } = world(flush, rewrite)
    await expect(queue.write(() => add(1))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1000 })
    expect(rewrite).not.toHaveBeenCalled()
    await queue.write(async () => {
      expect(rewrite).toHaveBeenCalledTimes(1)
      await add(2)
    })
    await queue.write(() => add(3))
    expect(rewrite).toHaveBeenCalledTimes(1)
    expect(rows()).toEqual([1, 2, 3])
  })

  test('that failed is made good before anyone is told what they saw', async () => {
    const { flush, rewrite, held } = failingFlush()
    const { queue, add, rows } = world(flush, rewrite)
    await expect(queue.write(() => add(1))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const { flushing } = held()
    let seen: unknown
    const looking = queue.read(async () => rows()).then((found) => (seen = found))
    await flushing()
    await turns(5)
    expect(rewrite).toHaveBeenCalledTimes(1)
    expect(seen).toBeUndefined()
    flushing.end()
    expect(await looking).toEqual([1])
  })

  test('that failed is made good before anyone is told why their work failed', async () => {
    const { flush, rewrite, held } = failingFlush()
    const { queue, add } = world(flush, rewrite)
    await expect(queue.write(() => add(1))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const { flushing } = held()
    let told = false
    const failing = queue.write(() => Promise.reject(new Error('taken'))).catch(() => (told = true))
    await flushing()
    await turns(5)
    expect(told).toBe(false)
    flushing.end()
    await failing
  })

  test('that fails again lets nobody believe a later one', async () => {
    const { flush, rewrite } = failingFlush()
    const { queue, add } = world(flush, rewrite)
    await expect(queue.write(() => add(1))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    flush.mockRejectedValueOnce(new Error('i/o error'))
    await expect(queue.write(() => add(2))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(flush).toHaveBeenCalledTimes(2)
    await queue.write(() => add(3))
    expect(rewrite).toHaveBeenCalledTimes(2)
  })

  test('that failed is made good also where only unsynced work comes after it', async () => {
    const { flush, rewrite } = failingFlush()
    const { queue, add } = world(flush, rewrite)
    await expect(queue.write(() => add(1))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await queue.writeUnsynced(() => add(2))
    expect(rewrite).toHaveBeenCalledTimes(1)
    expect(flush).toHaveBeenCalledTimes(2)
  })

  test('that failed lets nothing be kept or seen while the log can’t be written, and is tried again', async () => {
    const { flush, rewrite } = failingFlush()
    const { queue, add, rows, path } = world(flush, rewrite)
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    for (const _ of [1, 2]) {
      rewrite.mockImplementationOnce(() => {
        expect(() => other.exec('begin immediate')).toThrow('locked')
        throw Object.assign(new Error('i/o error'), { code: 'EIO' })
      })
    }
    await expect(queue.write(() => add(1))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await expect(queue.write(() => add(2))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1000 })
    await expect(queue.read(async () => rows())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await queue.write(() => add(3))
    expect(await queue.read(async () => rows())).toEqual([1, 3])
  })

  test('is waited for by who closes', async () => {
    const { flush, flushing } = heldFlush()
    const { queue, add } = world(flush)
    void queue.write(() => add(1))
    await flushing()
    let closed = false
    const closing = queue.close().then(() => (closed = true))
    await turns(5)
    expect(closed).toBe(false)
    flushing.end()
    await closing
  })

  test('that does not come lets no more wait than there is room for', async () => {
    const { flush, flushing } = heldFlush()
    const { queue, add } = world(flush)
    void queue.write(() => add(1))
    for (let joined = 1; joined < 10_000; joined++) queue.join()
    await flushing()
    expect(() => queue.join()).toThrow('Too much waits')
    flushing.end()
  })
})

describe('the event loop while many transactions queue', () => {
  test('is never kept for long: it turns after 8 ms of work', async () => {
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

/** A queue over a file with one table of numbers. */
function world(flush: () => Promise<void> = async () => {}, rewrite: () => void = () => {}) {
  const path = join(temporaryDirectory(), 'numbers.db')
  const real = new DatabaseSync(path, { timeout: 1 })
  onTestFinished(() => real.close())
  real.exec('pragma journal_mode = wal; pragma synchronous = normal; create table rows (n)')
  const { connection, ...faults } = faultyConnection(real)
  const queue = createTransactionQueue(connection, { flush, rewrite })
  return {
    path,
    connection,
    queue,
    ...faults,
    /** Adds a number, as Kysely would: in a later microtask. */
    async add(n: number) {
      await Promise.resolve()
      queue.admit()
      real.prepare('insert into rows values (?)').run(n)
    },
    rows: () =>
      real
        .prepare('select n from rows order by n')
        .all()
        .map(({ n }) => n),
  }
}

/** A disk that takes as long as the test wants. */
function heldFlush() {
  const ends: (() => void)[] = []
  const flush = vi.fn<() => Promise<void>>(() => new Promise((resolve) => void ends.push(resolve)))
  const flushing = async () => {
    await expect.poll(() => ends.length).toBe(1)
  }
  return { flush, flushing: Object.assign(flushing, { end: () => ends.splice(0).forEach((end) => end()) }) }
}

/** A disk that fails the first flush; the next may be held. */
function failingFlush() {
  const failed = Object.assign(new Error('i/o error'), { code: 'EIO' })
  const flush = vi.fn<() => Promise<void>>(async () => {}).mockRejectedValueOnce(failed)
  const held = () => {
    const { flush: hold, flushing } = heldFlush()
    flush.mockImplementation(hold)
    return { flushing }
  }
  return { flush, held, rewrite: vi.fn<() => void>() }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Keeps the thread, as a heavy statement does. */
function work1ms() {
  const endAt = performance.now() + 1
  while (performance.now() < endAt);
}
