import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AccountId, type BulkheadOptions, createBulkhead } from './bulkhead.ts'

/** A bulkhead, and the names of the calls that acquired a slot and of those that were rejected. */
function opened(options: Partial<BulkheadOptions> = {}) {
  const bulkhead = createBulkhead({ slots: 2, queueSize: 100, accountShare: 1, ...options })
  const acquired: string[] = []
  const rejected: string[] = []
  /** Acquires a slot or waits for one. Returns a function that stops waiting. */
  const call = (account: AccountId, name = '') => {
    const done = (ok: boolean) => void (ok ? acquired : rejected).push(`${account}${name}`)
    if (bulkhead.tryAcquire(account)) done(true)
    else return bulkhead.enqueue(account, done)
    return () => {}
  }
  const calls = (account: AccountId, count: number) => {
    for (let n = 1; n <= count; n++) call(account, `${n}`)
  }
  return { bulkhead, acquired, rejected, call, calls }
}

describe('a free slot', () => {
  test('a free slot goes to the waiting account with the fewest slots', () => {
    const { bulkhead, acquired, call } = opened({ slots: 3 })
    for (const account of ['a', 'a', 'b', 'a', 'b', 'c']) call(account)
    expect(acquired).toEqual(['a', 'a', 'b'])
    bulkhead.release('a')
    expect(acquired.slice(3)).toEqual(['c'])
    bulkhead.release('a')
    expect(acquired.slice(4)).toEqual(['a'])
  })

  test('a free slot goes to accounts with equal numbers of slots in turn, however many calls each makes', () => {
    const { bulkhead, acquired, call } = opened({ slots: 1 })
    for (const account of ['a', 'a', 'a', 'b', 'c', 'a', 'b', 'c', 'a', 'a']) call(account)
    for (let n = 0; n < 6; n++) {
      bulkhead.release(acquired.at(-1))
      call('a')
    }
    expect(acquired).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a'])
  })

  test('a free slot goes to the calls of one account in their order', () => {
    const { bulkhead, acquired, calls } = opened({ slots: 1 })
    calls('a', 4)
    for (let n = 0; n < 3; n++) bulkhead.release('a')
    expect(acquired).toEqual(['a1', 'a2', 'a3', 'a4'])
  })

  test('a free slot does not go to a call that has stopped waiting', () => {
    const { bulkhead, acquired, call } = opened({ slots: 1 })
    call('a')
    const stopWaiting = call('b')
    call('c')
    stopWaiting()
    stopWaiting()
    bulkhead.release('a')
    expect(acquired).toEqual(['a', 'c'])
    expect(bulkhead.queued).toBe(0)
  })
})

describe('an account', () => {
  test('an account leaves some slots free when it is the only account', () => {
    const { bulkhead, calls } = opened({ slots: 1_000, accountShare: 0.8 })
    calls('a', 990)
    expect(bulkhead).toMatchObject({ inFlight: 800, queued: 100 })
  })

  test('an account leaves fewer slots free the more accounts there are', () => {
    const { bulkhead, calls } = opened({ slots: 100, queueSize: 10_000, accountShare: 0.8 })
    const free: number[] = []
    for (let n = 1; n <= 6; n++) {
      calls(`account ${n}`, 100)
      free.push(100 - bulkhead.inFlight)
    }
    expect(free).toEqual([20, 4, 1, 0, 0, 0])
  })

  test('an account can take the last slot if it has none', () => {
    const { acquired, call } = opened({ slots: 2, accountShare: 0.5 })
    for (const account of ['a', 'a', 'b']) call(account)
    expect(acquired).toEqual(['a', 'b'])
  })

  test('an account can take the only slot of a target', () => {
    const { acquired, call } = opened({ slots: 1, accountShare: 0.1 })
    call('a')
    expect(acquired).toEqual(['a'])
  })

  test('an account gets another slot for a waiting call after it releases one', () => {
    const { bulkhead, acquired, calls } = opened({ slots: 10, accountShare: 0.8 })
    calls('a', 10)
    expect(acquired).toHaveLength(8)
    bulkhead.release('a')
    expect(acquired.at(-1)).toBe('a9')
  })

  test('an account can hold every slot if it is the embedding program, even while other accounts wait', () => {
    const { bulkhead, acquired, call, calls } = opened({ slots: 10, accountShare: 0.5 })
    calls('a', 6)
    expect(bulkhead).toMatchObject({ inFlight: 5, queued: 1 })
    for (let n = 0; n < 6; n++) call(undefined)
    expect(bulkhead).toMatchObject({ inFlight: 10, queued: 2 })
    bulkhead.release(undefined)
    expect(acquired.filter((name) => name === 'undefined')).toHaveLength(6)
  })
})

describe('a full queue', () => {
  test('a full queue replaces the newest call of the account with the most by a call of another account', () => {
    const { bulkhead, acquired, rejected, call, calls } = opened({ slots: 1, queueSize: 3 })
    calls('a', 4)
    expect(bulkhead.isFull('a')).toBe(true)
    expect(bulkhead.isFull('b')).toBe(false)
    call('b')
    expect(rejected).toEqual(['a4'])
    bulkhead.release('a')
    expect(acquired).toEqual(['a1', 'b'])
  })

  test('a full queue rejects a call when no account has enough more waiting calls', () => {
    const { bulkhead, rejected, call } = opened({ slots: 1, queueSize: 2 })
    for (const account of ['a', 'a', 'b']) call(account)
    expect(['a', 'b', 'c'].map((account) => bulkhead.isFull(account))).toEqual([true, true, true])
    call('c')
    expect(rejected).toEqual(['c'])
  })

  test('a full queue keeps its calls when another account can take a slot without waiting', () => {
    const { bulkhead, calls } = opened({ slots: 10, queueSize: 2, accountShare: 0.5 })
    calls('a', 7)
    expect(bulkhead.isFull('b')).toBe(false)
    expect(bulkhead.tryAcquire('b')).toBe(true)
    expect(bulkhead.queued).toBe(2)
  })

  test('a full queue replaces no call that has stopped waiting', () => {
    const { rejected, call } = opened({ slots: 1, queueSize: 3 })
    call('a', '1')
    call('a', '2')
    call('a', '3')
    const stopWaiting = call('a', '4')
    stopWaiting()
    call('a', '5')
    call('b')
    stopWaiting()
    expect(rejected).toEqual(['a5'])
  })
})

describe('any sequence of calls', () => {
  const accounts = [undefined, 'a', 'b', 'c'] as const
  const step = fc.record({ account: fc.constantFrom(...accounts), act: fc.constantFrom('call', 'release', 'stop') })
  const options = fc.record({
    slots: fc.integer({ min: 1, max: 8 }),
    queueSize: fc.integer({ min: 0, max: 6 }),
    accountShare: fc.double({ min: 0.05, max: 1, noNaN: true }),
  })

  test('any sequence of calls stays within the limits, counts correctly, and leaves no free slot while an account without one waits', () => {
    fc.assert(
      fc.property(options, fc.array(step, { maxLength: 60 }), ({ slots, queueSize, accountShare }, steps) => {
        const bulkhead = createBulkhead({ slots, queueSize, accountShare })
        const held = new Map<AccountId, number>(accounts.map((account) => [account, 0]))
        const waiting = new Map<AccountId, Set<() => void>>(accounts.map((account) => [account, new Set()]))
        const hold = (account: AccountId) => void held.set(account, held.get(account)! + 1)
        for (const { account, act } of steps) {
          const mine = waiting.get(account)!
          if (act === 'release' && held.get(account)! > 0) {
            held.set(account, held.get(account)! - 1)
            bulkhead.release(account)
          } else if (act === 'stop') {
            const [stopWaiting] = mine
            stopWaiting?.()
            if (stopWaiting) mine.delete(stopWaiting)
          } else if (act === 'call' && !bulkhead.isFull(account)) {
            if (bulkhead.tryAcquire(account)) hold(account)
            else {
              const stopWaiting: () => void = bulkhead.enqueue(account, (acquired) => {
                mine.delete(stopWaiting)
                if (acquired) hold(account)
              })
              mine.add(stopWaiting)
            }
          }
          const inFlight = [...held.values()].reduce((sum, count) => sum + count, 0)
          const queued = [...waiting.values()].reduce((sum, { size }) => sum + size, 0)
          expect(bulkhead).toMatchObject({ inFlight, queued })
          expect(inFlight).toBeLessThanOrEqual(slots)
          expect(queued).toBeLessThanOrEqual(queueSize)
          const entitled = accounts.filter((each) => each === undefined || held.get(each) === 0)
          const waitingForSlot = entitled.filter((each) => waiting.get(each)!.size > 0)
          expect(inFlight < slots ? waitingForSlot : []).toEqual([])
        }
      }),
    )
  })
})
