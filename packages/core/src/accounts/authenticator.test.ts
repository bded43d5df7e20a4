import { describe, expect, test } from 'vitest'
import { memoryStores } from '../memory-stores.ts'
import { silentLog } from '../runtime/log.ts'
import { addTestCaller } from '../testing/test-core.ts'
import { testClock } from '../testing/test-clock.ts'
import { createAuthenticator } from './authenticator.ts'
import { newApiKeyToken } from './tokens.ts'
import type { Stores } from '../feature-stores.ts'
import { scopes } from '../runtime/access.ts'

/** Stores that count their look-ups, and can hold one back. */
function watched(stores: Stores) {
  let gate = Promise.resolve()
  const state = {
    reads: 0,
    holdAnswers(): () => void {
      let open = () => {}
      gate = new Promise((resolve) => (open = resolve))
      return open
    },
  }
  const read: Stores['read'] = async (work) => {
    state.reads += 1
    const held = gate
    const answer = await stores.read(work)
    await held
    return answer
  }
  return { state, stores: { ...stores, read } }
}

async function setUp() {
  const clock = testClock()
  const { stores, state } = watched(memoryStores({ clock }))
  const { credentials, userId, keyId } = await addTestCaller(stores, clock)
  const authenticator = createAuthenticator(stores, clock, silentLog)
  const ask = async () => authenticator.authenticate(credentials.token)
  return { clock, stores, state, authenticator, userId, keyId, ask }
}

describe('the authenticator', () => {
  test('knows whose a key is, and what it may', async () => {
    const { ask, userId, keyId } = await setUp()
    expect(await ask()).toMatchObject({
      kind: 'account',
      userId,
      role: 'member',
      scopes,
      credential: { kind: 'key', id: keyId },
      counter: keyId,
      limit: 1_000,
    })
  })

  test('refuses a key from the millisecond at which it expires, remembered or not', async () => {
    const { stores, clock, authenticator } = await setUp()
    const { credentials } = await addTestCaller(stores, clock, { key: { expiresAt: clock.now() + 1_000 } })
    const ask = async () => authenticator.authenticate(credentials.token)
    await ask()
    clock.advance(1_000)
    await expect(ask()).rejects.toThrow('The API key has expired.')
  })

  test('looks a token up once in five seconds', async () => {
    const { ask, state, clock } = await setUp()
    for (let n = 0; n < 10; n++) await ask()
    expect(state.reads).toBe(1)
    clock.advance(5_000)
    await ask()
    expect(state.reads).toBe(2)
  })

  test('looks nothing up for what is mistyped or made up', async () => {
    const { authenticator, state } = await setUp()
    const good = newApiKeyToken()
    const alphabet = 'abcdefghijklmnopqrstuvwxyz'
    for (let n = 0; n < 2_000; n++) {
      const at = 3 + (n % 49)
      const letter = alphabet[n % 26] === good[at] ? '_' : (alphabet[n % 26] ?? '')
      const mistyped = good.slice(0, at) + letter + good.slice(at + 1)
      expect(() => authenticator.authenticate(mistyped)).toThrow('mistyped')
    }
    expect(state.reads).toBe(0)
  })

  test('believes for a second that a token is unknown', async () => {
    const { authenticator, state, clock } = await setUp()
    const token = newApiKeyToken()
    const ask = async () => authenticator.authenticate(token)
    for (let n = 0; n < 5; n++) await expect(ask()).rejects.toThrow('unknown')
    expect(state.reads).toBe(1)
    clock.advance(1_000)
    await expect(ask()).rejects.toThrow('unknown')
    expect(state.reads).toBe(2)
  })

  test('reads anew what it was told to forget, by user or by key', async () => {
    const { ask, authenticator, state, userId, keyId } = await setUp()
    await ask()
    authenticator.forget({ userId })
    await ask()
    authenticator.forget({ credentialId: keyId })
    await ask()
    authenticator.forget({ userId: 'usr_another' })
    await ask()
    expect(state.reads).toBe(3)
  })

  test('does not remember what a look-up read before a change', async () => {
    const { ask, authenticator, state, stores, keyId, clock } = await setUp()
    const answerLate = state.holdAnswers()
    const early = ask()
    await new Promise(setImmediate)
    await stores.transact((tx) => tx.keys.revoke(keyId, clock.now()))
    authenticator.forget({ credentialId: keyId })
    answerLate()
    await early
    await expect(ask()).rejects.toThrow('revoked')
  })

  test('counts five seconds from the question, however late the answer', async () => {
    const { ask, state, clock } = await setUp()
    const answerLate = state.holdAnswers()
    const early = ask()
    await new Promise(setImmediate)
    clock.advance(4_000)
    answerLate()
    await early
    clock.advance(1_000)
    await ask()
    expect(state.reads).toBe(2)
  })

  test('does not fail a request because its key’s use could not be noted', async () => {
    const clock = testClock()
    const stores = memoryStores({ clock })
    const { credentials } = await addTestCaller(stores, clock, { key: { lastUsedAt: null } })
    const warned: string[] = []
    const log = { ...silentLog, warn: (_facts: object, message: string) => void warned.push(message) }
    const broken = { ...stores, transact: () => Promise.reject(new Error('disk full')) }
    const authenticator = createAuthenticator(broken, clock, log)
    expect(await authenticator.authenticate(credentials.token)).toMatchObject({ kind: 'account' })
    await expect.poll(() => warned).toEqual(['the use of a key could not be noted'])
  })
})
