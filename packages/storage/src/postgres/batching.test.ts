import { describe, expect, test } from 'vitest'
import type { WantedUnits } from '../runtime/counters.ts'
import { reserveTogether } from './batching.ts'

const period = '2026-03'

/** Counters whose statements end when the test says so. */
function heldCounters({ locked = [] as readonly string[], failures = 0 } = {}) {
  /** The wanted units of each statement that skips locked counters, and of those for a single counter. */
  const together: string[][] = []
  const single: string[] = []
  const held: (() => void)[] = []
  const counts = new Map<string, number>()
  let failing = failures
  const untilEnded = () => new Promise<void>((resolve) => held.push(resolve))
  const described = ({ counter, units }: WantedUnits) => `${units} of ${counter}`

  function takeUnits({ counter, limit, units }: WantedUnits) {
    const before = counts.get(counter) ?? 0
    const taken = Math.min(units, (limit ?? Infinity) - before)
    counts.set(counter, before + taken)
    return { counter, units: taken, period, used: before + taken }
  }

  const reserve = reserveTogether({
    async takeUnlocked(wanted) {
      together.push(wanted.map(described))
      await untilEnded()
      if (failing-- > 0) throw new Error('away')
      return wanted.filter(({ counter }) => !locked.includes(counter)).map(takeUnits)
    },
    async take(wanted) {
      single.push(described(wanted))
      await untilEnded()
      return takeUnits(wanted)
    },
  })
  return { reserve, together, single, endOne: () => held.shift()?.() }
}

describe('reserveTogether', () => {
  test('reserveTogether reserves the units of all counters of a turn of the event loop in one statement', async () => {
    const { reserve, together, endOne } = heldCounters()
    const answers = Promise.all(['m', 'n', 'm', 'o'].map((counter) => reserve(counter, 40)))
    await expect.poll(() => together).toEqual([['2 of m', '1 of n', '1 of o']])
    endOne()
    expect((await answers).map(({ granted, used }) => granted && used)).toEqual([1, 1, 2, 1])
  })

  test('reserveTogether reserves units that are wanted while a statement is in flight in the next one', async () => {
    const { reserve, together, endOne } = heldCounters()
    const first = reserve('m', 40)
    await expect.poll(() => together).toEqual([['1 of m']])
    const others = Promise.all([reserve('m', 40), reserve('n', 40)])
    endOne()
    expect(await first).toEqual({ granted: true, period, used: 1 })
    await expect.poll(() => together).toEqual([['1 of m'], ['1 of m', '1 of n']])
    endOne()
    expect((await others).map(({ used }) => used)).toEqual([2, 1])
  })

  test('reserveTogether grants the units that are left to the calls that came first', async () => {
    const { reserve, together, endOne } = heldCounters()
    const answers = Promise.all(Array.from({ length: 64 }, () => reserve('m', 40)))
    await expect.poll(() => together).toEqual([['64 of m']])
    endOne()
    const used = (await answers).map((answer) => answer.used)
    expect(used).toEqual([...Array.from({ length: 40 }, (_, index) => index + 1), ...Array(24).fill(40)])
    expect((await answers).filter(({ granted }) => granted)).toHaveLength(40)
  })

  test('reserveTogether reserves the units of a counter that was left out in a statement for it alone', async () => {
    const { reserve, together, single, endOne } = heldCounters({ locked: ['m'] })
    const [m, n] = [reserve('m', null), reserve('n', null)]
    await expect.poll(() => together).toEqual([['1 of m', '1 of n']])
    endOne()
    expect(await n).toEqual({ granted: true, period, used: 1 })
    await expect.poll(() => single).toEqual(['1 of m'])
    endOne()
    expect(await m).toEqual({ granted: true, period, used: 1 })
  })

  test('reserveTogether compares each call with its own limit', async () => {
    const { reserve, together, single, endOne } = heldCounters()
    const answers = Promise.all([3, 3, 1, 3].map((limit) => reserve('m', limit)))
    await expect.poll(() => together).toEqual([['3 of m']])
    endOne()
    await expect.poll(() => single).toEqual(['1 of m'])
    endOne()
    expect((await answers).map(({ granted }) => granted)).toEqual([true, true, false, true])
  })

  test('reserveTogether rejects only the calls whose statement failed', async () => {
    const { reserve, together, endOne } = heldCounters({ failures: 1 })
    const first = reserve('m', null)
    await expect.poll(() => together).toHaveLength(1)
    const second = reserve('m', null)
    endOne()
    await expect(first).rejects.toThrow('away')
    await expect.poll(() => together).toHaveLength(2)
    endOne()
    expect(await second).toEqual({ granted: true, period, used: 1 })
  })
})
