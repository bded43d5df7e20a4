import { memoryStores } from '@fairlead/core/stores'
import { describe, expect, test, vi } from 'vitest'
import { sessionDaysOf } from './stricter-defaults.ts'

describe('sessionDaysOf', () => {
  test('sessionDaysOf leaves the default to core for a new database', async () => {
    const warn = vi.fn<() => void>()
    expect(await sessionDaysOf(memoryStores(), { warn })).toBeUndefined()
    expect(warn).not.toHaveBeenCalled()
  })

  test('sessionDaysOf keeps sessions without an end in a database from before, with a warning that names the variable', async () => {
    const stores = memoryStores()
    await stores.transact((tx) => tx.settings.set('session_days', 'unlimited'))
    const warn = vi.fn<() => void>()
    expect(await sessionDaysOf(stores, { warn })).toBe(Infinity)
    expect(warn).toHaveBeenCalledWith(expect.anything(), expect.stringContaining('FAIRLEAD_SESSION_DAYS'))
  })
})
