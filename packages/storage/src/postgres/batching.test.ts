import { describe, expect, test } from 'vitest'
import { reserveTogether, type TakeUnits } from './batching.ts'

/** A counter whose statements end when the test says so. */
function heldCounter(failures = 0) {
  const statements: number[] = []
  const held: (() => void)[] = []
  let used = 0
  let failing = failures
  const take: TakeUnits = async ({ limit, units }) => {
    statements.push(units)
    await new Promise<void>((resolve) => held.push(resolve))
    if (failing-- > 0) throw new Error('away')
    const taken = Math.min(units, (limit ?? Infinity) - used)
    used += taken
    return { units: taken, period: '2026-03', used }
  }
  return { take, statements, endOne: () => held.shift()?.() }
}

describe('reserveTogether', () => {
  test('reserves concurrent units of a counter in one statement while another is in flight', async () => {
    const { take, statements, endOne } = heldCounter()
    const reserve = reserveTogether(take)
    const answers = Promise.all(Array.from({ length: 64 }, () => reserve('m', 40)))
    endOne()
    await expect.poll(() => statements).toEqual([1, 63])
    endOne()
    const used = (await answers).map((answer) => answer.used)
    expect(used).toEqual([...Array.from({ length: 40 }, (_, index) => index + 1), ...Array(24).fill(40)])
    expect((await answers).filter(({ granted }) => granted)).toHaveLength(40)
  })

  test('does not wait for the statements of another counter', () => {
    const { take, statements } = heldCounter()
    const reserve = reserveTogether(take)
    void reserve('m', 40)
    void reserve('n', 40)
    expect(statements).toEqual([1, 1])
  })

  test('rejects only the calls whose statement failed', async () => {
    const { take, statements, endOne } = heldCounter(1)
    const reserve = reserveTogether(take)
    const first = reserve('m', null)
    const second = reserve('m', null)
    endOne()
    await expect(first).rejects.toThrow('away')
    await expect.poll(() => statements).toEqual([1, 1])
    endOne()
    expect(await second).toEqual({ granted: true, period: '2026-03', used: 1 })
  })
})
