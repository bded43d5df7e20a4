import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from './clock.ts'

const dayMs = 24 * 3600 * 1000

describe('systemClock.schedule', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('systemClock.schedule calls back after 60 days, which exceeds the maximum delay of a timer', () => {
    const callback = vi.fn<() => void>()
    systemClock.schedule(60 * dayMs, callback)
    vi.advanceTimersByTime(60 * dayMs - 1)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(callback).toHaveBeenCalledOnce()
  })

  test('systemClock.schedule can be canceled after the first timer has been replaced', () => {
    const callback = vi.fn<() => void>()
    const cancel = systemClock.schedule(30 * dayMs, callback)
    vi.advanceTimersByTime(28 * dayMs)
    cancel()
    vi.advanceTimersByTime(30 * dayMs)
    expect(callback).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a timeout of 366 days', () => {
  test('a timeout of 366 days causes no TimeoutOverflowWarning', async () => {
    const warnings: string[] = []
    const onWarning = ({ name }: Error) => void warnings.push(name)
    process.on('warning', onWarning)
    const cancels = [2 ** 31 - 1, 2 ** 31, 366 * dayMs].map((ms) => systemClock.schedule(ms, () => {}))
    await new Promise((resolve) => setImmediate(resolve))
    for (const cancel of cancels) cancel()
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })
})
