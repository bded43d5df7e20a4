import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AccountId, type BulkheadOptions, createBulkhead } from './bulkhead.ts'

/** A bulkhead, and what became of each call: undefined while it waits. */
function opened(options: Partial<BulkheadOptions> = {}) {
  const bulkhead = createBulkhead({ places: 2, room: 100, accountShare: 1, ...options })
  const entered: string[] = []
  const rejected: string[] = []
  /** Enters at once, or waits. */
  const call = (account: AccountId, name = '') => {
    const done = (ok: boolean) => void (ok ? entered : rejected).push(`${account}${name}`)
    if (bulkhead.tryEnter(account)) done(true)
    else return bulkhead.queue(account, done)
    return () => {}
  }
  const calls = (account: AccountId, count: number) => {
    for (let n = 1; n <= count; n++) call(account, `${n}`)
  }
  return { bulkhead, entered, rejected, call, calls }
}

describe('a free place', () => {
  test('goes to the waiting account that holds the fewest places', () => {
    const { bulkhead, entered, call } = opened({ places: 3 })
    for (const account of ['a', 'a', 'b', 'a', 'b', 'c']) call(account)
    expect(entered).toEqual(['a', 'a', 'b'])
    bulkhead.leave('a')
    expect(entered.slice(3)).toEqual(['c'])
    bulkhead.leave('a')
    expect(entered.slice(4)).toEqual(['a'])
  })

  test('goes to accounts that hold equally many in turn, whichever asks most often', () => {
    const { bulkhead, entered, call } = opened({ places: 1 })
    for (const account of ['a', 'a', 'a', 'b', 'c', 'a', 'b', 'c', 'a', 'a']) call(account)
    for (let n = 0; n < 6; n++) {
      bulkhead.leave(entered.at(-1))
      call('a')
    }
    expect(entered).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a'])
  })

  test('goes to the calls of one account in their order', () => {
    const { bulkhead, entered, calls } = opened({ places: 1 })
    calls('a', 4)
    for (let n = 0; n < 3; n++) bulkhead.leave('a')
    expect(entered).toEqual(['a1', 'a2', 'a3', 'a4'])
  })

  test('goes to no call that has stopped waiting', () => {
    const { bulkhead, entered, call } = opened({ places: 1 })
    call('a')
    const stopWaiting = call('b')
    call('c')
    stopWaiting()
    stopWaiting()
    bulkhead.leave('a')
    expect(entered).toEqual(['a', 'c'])
    expect(bulkhead.queued).toBe(0)
  })
})

describe('an account', () => {
  test('alone leaves places free for others', () => {
    const { bulkhead, calls } = opened({ places: 1_000, accountShare: 0.8 })
    calls('a', 990)
    expect(bulkhead).toMatchObject({ inFlight: 800, queued: 100 })
  })

  test('leaves fewer places free the more accounts there are, and while there are any', () => {
    const { bulkhead, calls } = opened({ places: 100, room: 10_000, accountShare: 0.8 })
    const free: number[] = []
    for (let n = 1; n <= 6; n++) {
      calls(`account ${n}`, 100)
      free.push(100 - bulkhead.inFlight)
    }
    expect(free).toEqual([20, 4, 1, 0, 0, 0])
  })

  test('without a place may take the last one', () => {
    const { entered, call } = opened({ places: 2, accountShare: 0.5 })
    for (const account of ['a', 'a', 'b']) call(account)
    expect(entered).toEqual(['a', 'b'])
  })

  test('takes the only place of a target that has no other', () => {
    const { entered, call } = opened({ places: 1, accountShare: 0.1 })
    call('a')
    expect(entered).toEqual(['a'])
  })

  test('enters with a waiting call as soon as it holds few enough places', () => {
    const { bulkhead, entered, calls } = opened({ places: 10, accountShare: 0.8 })
    calls('a', 10)
    expect(entered).toHaveLength(8)
    bulkhead.leave('a')
    expect(entered.at(-1)).toBe('a9')
  })

  test('that is the embedding program may hold every place, also beside others who wait', () => {
    const { bulkhead, entered, call, calls } = opened({ places: 10, accountShare: 0.5 })
    calls('a', 6)
    expect(bulkhead).toMatchObject({ inFlight: 5, queued: 1 })
    for (let n = 0; n < 6; n++) call(undefined)
    expect(bulkhead).toMatchObject({ inFlight: 10, queued: 2 })
    bulkhead.leave(undefined)
    expect(entered.filter((name) => name === 'undefined')).toHaveLength(6)
  })
})

describe('a full queue', () => {
  test('of one account gives the room of its newest call to an account with fewer', () => {
    const { bulkhead, entered, rejected, call, calls } = opened({ places: 1, room: 3 })
    calls('a', 4)
    expect(bulkhead.isFull('a')).toBe(true)
    expect(bulkhead.isFull('b')).toBe(false)
    call('b')
    expect(rejected).toEqual(['a4'])
    bulkhead.leave('a')
    expect(entered).toEqual(['a1', 'b'])
  })

  test('that accounts share equally has no room for one more of theirs', () => {
    const { bulkhead, rejected, call } = opened({ places: 1, room: 2 })
    for (const account of ['a', 'a', 'b']) call(account)
    expect(['a', 'b', 'c'].map((account) => bulkhead.isFull(account))).toEqual([true, true, true])
    call('c')
    expect(rejected).toEqual(['c'])
  })

  test('gives up none of its calls for an account that may enter at once', () => {
    const { bulkhead, calls } = opened({ places: 10, room: 2, accountShare: 0.5 })
    calls('a', 7)
    expect(bulkhead.isFull('b')).toBe(false)
    expect(bulkhead.tryEnter('b')).toBe(true)
    expect(bulkhead.queued).toBe(2)
  })

  test('lets calls that have stopped waiting alone', () => {
    const { rejected, call } = opened({ places: 1, room: 3 })
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

describe('whatever calls come and go', () => {
  const accounts = [undefined, 'a', 'b', 'c'] as const
  const step = fc.record({ account: fc.constantFrom(...accounts), act: fc.constantFrom('call', 'leave', 'stop') })
  const options = fc.record({
    places: fc.integer({ min: 1, max: 8 }),
    room: fc.integer({ min: 0, max: 6 }),
    accountShare: fc.double({ min: 0.05, max: 1, noNaN: true }),
  })

  test('the bounds hold, counts are right, and no free place is kept from an account without one', () => {
    fc.assert(
      fc.property(options, fc.array(step, { maxLength: 60 }), ({ places, room, accountShare }, steps) => {
        const bulkhead = createBulkhead({ places, room, accountShare })
        const held = new Map<AccountId, number>(accounts.map((account) => [account, 0]))
        const waiting = new Map<AccountId, Set<() => void>>(accounts.map((account) => [account, new Set()]))
        const enter = (account: AccountId) => void held.set(account, held.get(account)! + 1)
        for (const { account, act } of steps) {
          const mine = waiting.get(account)!
          if (act === 'leave' && held.get(account)! > 0) {
            held.set(account, held.get(account)! - 1)
            bulkhead.leave(account)
          } else if (act === 'stop') {
            const [stopWaiting] = mine
            stopWaiting?.()
            if (stopWaiting) mine.delete(stopWaiting)
          } else if (act === 'call' && !bulkhead.isFull(account)) {
            if (bulkhead.tryEnter(account)) enter(account)
            else {
              const stopWaiting: () => void = bulkhead.queue(account, (entered) => {
                mine.delete(stopWaiting)
                if (entered) enter(account)
              })
              mine.add(stopWaiting)
            }
          }
          const inFlight = [...held.values()].reduce((sum, count) => sum + count, 0)
          const queued = [...waiting.values()].reduce((sum, { size }) => sum + size, 0)
          expect(bulkhead).toMatchObject({ inFlight, queued })
          expect(inFlight).toBeLessThanOrEqual(places)
          expect(queued).toBeLessThanOrEqual(room)
          const mayEnter = accounts.filter((each) => each === undefined || held.get(each) === 0)
          const keptOut = mayEnter.filter((each) => waiting.get(each)!.size > 0)
          expect(inFlight < places ? keptOut : []).toEqual([])
        }
      }),
    )
  })
})
