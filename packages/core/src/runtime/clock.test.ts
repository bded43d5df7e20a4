import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from './clock.ts'

const dayMs = 24 * 3600 * 1000

describe('an alarm set for a month', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('rings after a month, not at once', () => {
    const ring = vi.fn<() => void>()
    systemClock.schedule(60 * dayMs, ring)
    vi.advanceTimersByTime(60 * dayMs - 1)
    expect(ring).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(ring).toHaveBeenCalledOnce()
  })

  test('can be called off in its second half', () => {
    const ring = vi.fn<() => void>()
    const callOff = systemClock.schedule(30 * dayMs, ring)
    vi.advanceTimersByTime(28 * dayMs)
    callOff()
    vi.advanceTimersByTime(30 * dayMs)
    expect(ring).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the longest time-out that may be configured', () => {
  test('sets no timer that Node would cut short', async () => {
    const warned: string[] = []
    const hear = ({ name }: Error) => void warned.push(name)
    process.on('warning', hear)
    const callOff = [2 ** 31 - 1, 2 ** 31, 366 * dayMs].map((ms) => systemClock.schedule(ms, () => {}))
    await new Promise((resolve) => setImmediate(resolve))
    for (const off of callOff) off()
    process.off('warning', hear)
    expect(warned).toEqual([])
  })
})
