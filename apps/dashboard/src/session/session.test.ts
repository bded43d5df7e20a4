import { describe, expect, test, vi } from 'vitest'
import { createSession, type Session, type SessionMessage, type SignedIn, type User } from './session.ts'

const ada: User = {
  id: 'usr_1',
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada',
  role: 'member',
  tier: 'free',
  quota_limit: null,
  quota_scope: 'key',
  budget_usd: null,
  budget_period: null,
  allowed_networks: null,
  models: null,
  status: 'active',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}
const minute = 60_000

/** A browser with a cookie jar, a clock, and tabs that share a channel and a lock. */
function browser({ signedIn = true } = {}) {
  let now = 0
  let generation = 0
  let cookie = signedIn
  let hint = signedIn
  let suspended = false
  let lock: Promise<unknown> = Promise.resolve()
  const listeners: ((message: SessionMessage) => void)[] = []
  const timers = new Set<{ readonly at: number; act(): void }>()
  const refresh = vi.fn<() => Promise<SignedIn | 'suspended' | undefined>>(async () => {
    if (suspended) return 'suspended'
    if (!cookie) return undefined
    generation += 1
    return { user: ada, access_token: `token ${generation}`, expires_in: 900 }
  })
  const logOut = vi.fn<(token: string | undefined) => Promise<void>>(async () => void (cookie = false))

  function openTab(): Session {
    const own: ((message: SessionMessage) => void)[] = []
    return createSession({
      hint: { mayHaveSession: () => hint, set: (hasSession) => void (hint = hasSession) },
      refresh,
      logOut,
      channel: {
        post: (message) => listeners.filter((each) => !own.includes(each)).forEach((listen) => listen(message)),
        onMessage(listener) {
          own.push(listener)
          listeners.push(listener)
        },
      },
      exclusively(work) {
        const done = lock.then(work)
        lock = Promise.allSettled([done])
        return done
      },
      now: () => now,
      setTimer(act, delayMs) {
        const timer = { at: now + delayMs, act }
        timers.add(timer)
        return () => timers.delete(timer)
      },
    })
  }

  return {
    openTab,
    refresh,
    logOut,
    endSession: () => void (cookie = false),
    suspend: (isSuspended: boolean) => void (suspended = isSuspended),
    advance(ms: number) {
      now += ms
      for (const timer of [...timers].filter(({ at }) => at <= now)) {
        timers.delete(timer)
        timer.act()
      }
    },
    /** Advances the clock as while the computer sleeps: no timer runs. */
    sleep(ms: number) {
      now += ms
    },
  }
}

describe('createSession', () => {
  test('createSession begins signed in if the browser has the cookie of a session', async () => {
    const tab = browser().openTab()
    expect(tab.state.status).toBe('unknown')
    await tab.start()
    expect(tab.state).toEqual({ status: 'signed-in', user: ada })
    expect(await tab.token()).toBe('token 1')
  })

  test('createSession starts signed out, without a request, if no user has logged in', async () => {
    const { openTab, refresh } = browser({ signedIn: false })
    const tab = openTab()
    await tab.start()
    expect(refresh).not.toHaveBeenCalled()
    expect(tab.state).toEqual({ status: 'signed-out', user: undefined })
    expect(await tab.token()).toBeUndefined()
  })

  test('createSession stays unknown if the service cannot be reached, and can start again', async () => {
    const { openTab, refresh } = browser()
    const tab = openTab()
    refresh.mockRejectedValueOnce(new TypeError('offline'))
    await expect(tab.start()).rejects.toThrow('offline')
    expect(tab.state.status).toBe('unknown')
    await tab.start()
    expect(tab.state.status).toBe('signed-in')
  })

  test('createSession refreshes the token a minute before it expires', async () => {
    const { openTab, refresh, advance } = browser()
    const tab = openTab()
    await tab.start()
    advance(14 * minute - 1)
    expect(refresh).toHaveBeenCalledTimes(1)
    advance(1)
    await vi.waitFor(() => expect(refresh).toHaveBeenCalledTimes(2))
  })

  test('createSession refreshes an expired token before the next request', async () => {
    const { openTab, sleep } = browser()
    const tab = openTab()
    await tab.start()
    sleep(60 * minute)
    expect(await Promise.all([tab.token(), tab.token()])).toEqual(['token 2', 'token 2'])
  })

  test('createSession refreshes once for many rejected requests', async () => {
    const { openTab, refresh } = browser()
    const tab = openTab()
    await tab.start()
    expect(await Promise.all([1, 2, 3].map(() => tab.renew('token 1')))).toEqual(['token 2', 'token 2', 'token 2'])
    // A late rejection of the old token.
    expect(await tab.renew('token 1')).toBe('token 2')
    expect(refresh).toHaveBeenCalledTimes(2)
  })

  test('createSession refreshes once for two tabs that find the same token rejected', async () => {
    const { openTab, refresh } = browser()
    const [one, other] = [openTab(), openTab()]
    await one.start()
    expect(await Promise.all([one.renew('token 1'), other.renew('token 1')])).toEqual(['token 2', 'token 2'])
    expect(refresh).toHaveBeenCalledTimes(2)
  })

  test('createSession gives a tab the token that another tab got', async () => {
    const { openTab, refresh } = browser()
    const [one, other] = [openTab(), openTab()]
    await one.start()
    expect(other.state.status).toBe('signed-in')
    expect(await other.token()).toBe('token 1')
    expect(refresh).toHaveBeenCalledTimes(1)
  })

  test('createSession ends in all tabs when one signs out', async () => {
    const { openTab, logOut } = browser()
    const [one, other] = [openTab(), openTab()]
    await one.start()
    await one.signOut()
    expect([one.state.status, other.state.status]).toEqual(['signed-out', 'signed-out'])
    expect(logOut).toHaveBeenCalledExactlyOnceWith('token 1')
    expect(await other.token()).toBeUndefined()
  })

  test('createSession keeps the user when the service ends the session, and requests wait until someone logs in again', async () => {
    const { openTab, endSession, refresh } = browser()
    const [tab, other] = [openTab(), openTab()]
    await tab.start()
    endSession()
    const renewed = tab.renew('token 1')
    await vi.waitFor(() => expect(tab.state).toEqual({ status: 'ended', user: ada }))
    expect(other.state).toEqual({ status: 'ended', user: ada })
    const waiting = other.token()
    other.adopt({ user: ada, access_token: 'token of the login', expires_in: 900 })
    expect(await Promise.all([renewed, waiting])).toEqual(['token of the login', 'token of the login'])
    expect(tab.state).toEqual({ status: 'signed-in', user: ada })
    expect(refresh).toHaveBeenCalledTimes(2)
  })

  test('createSession releases waiting requests without a token when the user logs out of an ended session', async () => {
    const { openTab, endSession } = browser()
    const tab = openTab()
    await tab.start()
    endSession()
    const renewed = tab.renew('token 1')
    await vi.waitFor(() => expect(tab.state.status).toBe('ended'))
    await tab.signOut()
    expect(await renewed).toBeUndefined()
    expect(tab.state).toEqual({ status: 'signed-out', user: undefined })
  })

  test('createSession asks the service no more after the session has ended, also in a tab that opens later', async () => {
    const { openTab, endSession, refresh } = browser()
    const tab = openTab()
    await tab.start()
    endSession()
    void tab.renew('token 1')
    await vi.waitFor(() => expect(tab.state.status).toBe('ended'))
    const later = openTab()
    await later.start()
    expect(later.state.status).toBe('signed-out')
    expect(refresh).toHaveBeenCalledTimes(2)
  })

  test('createSession is suspended with the user, and continues once the service accepts the user again', async () => {
    const { openTab, suspend } = browser()
    const tab = openTab()
    await tab.start()
    suspend(true)
    expect(await tab.renew('token 1')).toBeUndefined()
    expect(tab.state).toEqual({ status: 'suspended', user: ada })
    suspend(false)
    await tab.start()
    expect(tab.state).toEqual({ status: 'signed-in', user: ada })
  })

  test('createSession does not sign out when a refresh fails for another reason', async () => {
    const { openTab, refresh } = browser()
    const tab = openTab()
    await tab.start()
    refresh.mockRejectedValueOnce(new Error('status 503'))
    await expect(tab.renew('token 1')).rejects.toThrow('status 503')
    expect(tab.state.status).toBe('signed-in')
  })

  test('createSession does not sign in again when a refresh ends after the sign-out', async () => {
    const { openTab, refresh } = browser()
    const tab = openTab()
    await tab.start()
    const answer = Promise.withResolvers<SignedIn>()
    refresh.mockReturnValueOnce(answer.promise)
    const renewed = tab.renew('token 1')
    await vi.waitFor(() => expect(refresh).toHaveBeenCalledTimes(2))
    await tab.signOut()
    answer.resolve({ user: ada, access_token: 'token 2', expires_in: 900 })
    expect(await renewed).toBeUndefined()
    expect(tab.state.status).toBe('signed-out')
  })

  test('createSession tells its listeners and the other tabs about a changed profile', async () => {
    const { openTab } = browser()
    const [one, other] = [openTab(), openTab()]
    await one.start()
    const listener = vi.fn<() => void>()
    other.subscribe(listener)
    one.update({ ...ada, name: 'Ada Lovelace' })
    expect(other.state.user?.name).toBe('Ada Lovelace')
    expect(listener).toHaveBeenCalledOnce()
  })
})
