import { describe, expect, test } from 'vitest'
import { scopes, silentLog, type Stores } from '@fairlead/testing/workspace'
import { createKeyring } from '@fairlead/core/feature'
import { addTestCaller, testClock, testStores } from '@fairlead/testing'
import { createAuthenticator } from './authenticator.ts'
import { newApiKeyToken } from './sessions/tokens.ts'

/** Wraps stores to count reads and to delay their results. */
function instrumented(stores: Stores) {
  let gate = Promise.resolve()
  const state = {
    reads: 0,
    holdReads(): () => void {
      let open = () => {}
      gate = new Promise((resolve) => (open = resolve))
      return open
    },
  }
  const read: Stores['read'] = async (work) => {
    state.reads += 1
    const held = gate
    const result = await stores.read(work)
    await held
    return result
  }
  return { state, stores: { ...stores, read } }
}

const context = {
  log: silentLog,
  observer: {},
  keyring: createKeyring(),
  eventTypes: [],
  scopes: Object.keys(scopes),
  addAuditEntries: async () => {},
  addEvents: async () => {},
  eventsCommitted: () => {},
}

async function setup() {
  const clock = testClock()
  const { stores, state } = instrumented(testStores({ clock }))
  const { credentials, userId, keyId } = await addTestCaller(stores, clock)
  const authenticator = createAuthenticator({ ...context, stores, clock })
  const authenticate = async () => authenticator.authenticate(credentials.token)
  return { clock, stores, state, authenticator, userId, keyId, authenticate }
}

describe('createAuthenticator', () => {
  test('createAuthenticator returns the account, scopes, and limit of an API key', async () => {
    const { authenticate, userId, keyId } = await setup()
    expect(await authenticate()).toMatchObject({
      kind: 'account',
      userId,
      role: 'member',
      scopes: Object.keys(scopes),
      credential: { kind: 'key', id: keyId },
      counter: keyId,
      limit: 1_000,
    })
  })

  test('createAuthenticator rejects a key from the millisecond at which it expires, even if cached', async () => {
    const { stores, clock, authenticator } = await setup()
    const { credentials } = await addTestCaller(stores, clock, { key: { expiresAt: clock.now() + 1_000 } })
    const authenticate = async () => authenticator.authenticate(credentials.token)
    await authenticate()
    clock.advance(1_000)
    await expect(authenticate()).rejects.toThrow('The API key has expired.')
  })

  test('createAuthenticator reads a token from the store once in five seconds', async () => {
    const { authenticate, state, clock } = await setup()
    for (let n = 0; n < 10; n++) await authenticate()
    expect(state.reads).toBe(1)
    clock.advance(5_000)
    await authenticate()
    expect(state.reads).toBe(2)
  })

  test('createAuthenticator rejects mistyped tokens without a store read', async () => {
    const { authenticator, state } = await setup()
    const valid = newApiKeyToken()
    const alphabet = 'abcdefghijklmnopqrstuvwxyz'
    for (let n = 0; n < 2_000; n++) {
      const at = 3 + (n % 49)
      const letter = alphabet[n % 26] === valid[at] ? '_' : (alphabet[n % 26] ?? '')
      const mistyped = valid.slice(0, at) + letter + valid.slice(at + 1)
      expect(() => authenticator.authenticate(mistyped)).toThrow('mistyped')
    }
    expect(state.reads).toBe(0)
  })

  test('createAuthenticator caches an unknown token for one second', async () => {
    const { authenticator, state, clock } = await setup()
    const token = newApiKeyToken()
    const authenticate = async () => authenticator.authenticate(token)
    for (let n = 0; n < 5; n++) await expect(authenticate()).rejects.toThrow('unknown')
    expect(state.reads).toBe(1)
    clock.advance(1_000)
    await expect(authenticate()).rejects.toThrow('unknown')
    expect(state.reads).toBe(2)
  })

  test('createAuthenticator reads a token again after forget() with its user or key', async () => {
    const { authenticate, authenticator, state, userId, keyId } = await setup()
    await authenticate()
    authenticator.forget({ userId })
    await authenticate()
    authenticator.forget({ credentialId: keyId })
    await authenticate()
    authenticator.forget({ userId: 'usr_another' })
    await authenticate()
    expect(state.reads).toBe(3)
  })

  test('createAuthenticator does not cache a read that began before forget()', async () => {
    const { authenticate, authenticator, state, stores, keyId, clock } = await setup()
    const releaseReads = state.holdReads()
    const early = authenticate()
    await new Promise(setImmediate)
    await stores.transact((tx) => tx.keys.revoke(keyId, clock.now()))
    authenticator.forget({ credentialId: keyId })
    releaseReads()
    await early
    await expect(authenticate()).rejects.toThrow('revoked')
  })

  test('createAuthenticator expires a cached token five seconds after its read began, however long the read took', async () => {
    const { authenticate, state, clock } = await setup()
    const releaseReads = state.holdReads()
    const early = authenticate()
    await new Promise(setImmediate)
    clock.advance(4_000)
    releaseReads()
    await early
    clock.advance(1_000)
    await authenticate()
    expect(state.reads).toBe(2)
  })

  test('createAuthenticator authenticates a key whose last use could not be recorded', async () => {
    const clock = testClock()
    const stores = testStores({ clock })
    const { credentials } = await addTestCaller(stores, clock, { key: { lastUsedAt: null } })
    const warned: string[] = []
    const log = { ...silentLog, warn: (_facts: object, message: string) => void warned.push(message) }
    const broken = { ...stores, transact: () => Promise.reject(new Error('disk full')) }
    const authenticator = createAuthenticator({ ...context, stores: broken, clock, log })
    expect(await authenticator.authenticate(credentials.token)).toMatchObject({ kind: 'account' })
    await expect.poll(() => warned).toEqual(['could not record the last use of an API key'])
  })
})
