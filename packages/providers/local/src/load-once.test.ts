import { expect, test, vi } from 'vitest'
import { loadOnce } from './load-once.ts'

test('loadOnce loads once, also for callers that wait at the same time', async () => {
  const load = vi.fn<() => Promise<object>>(async () => ({}))
  const get = loadOnce(load)
  const [one, other] = await Promise.all([get(), get()])
  expect(one).toBe(other)
  expect(await get()).toBe(one)
  expect(load).toHaveBeenCalledTimes(1)
})

test('loadOnce loads again after a failure, such as too many open files', async () => {
  const load = vi.fn<() => Promise<string>>(async () => 'loaded').mockRejectedValueOnce(new Error('EMFILE'))
  const get = loadOnce(load)
  await expect(get()).rejects.toThrow('EMFILE')
  expect(await get()).toBe('loaded')
})
