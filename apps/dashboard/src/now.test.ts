import { expect, onTestFinished, test, vi } from 'vitest'
import { subscribeToNow } from './now.ts'

test('subscribeToNow moves all times of a page with one timer, and stops it with the last of them', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const [one, other] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const stops = [subscribeToNow(one), subscribeToNow(other)]
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(60_000)
  expect(one).toHaveBeenCalledTimes(4)
  expect(other).toHaveBeenCalledTimes(4)
  for (const stop of stops) stop()
  expect(vi.getTimerCount()).toBe(0)
})
