import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import type { Credentials } from '@fairlead/core'
import { testCore } from '@fairlead/testing'
import { signInTokenLifeMs } from './sessions/sign-in-token.ts'

const anonymous: Credentials = { kind: 'none' }

async function setup() {
  const tested = await testCore()
  const { userId } = await tested.addCaller({ user: { role: 'admin', email: 'admin@example.com' } })
  const exchange = (token: string) => tested.core.run(operations.exchangeSignInToken, anonymous, { token })
  return { ...tested, userId, exchange, token: tested.signInToken(userId) }
}

const rejected = { success: false, error: { code: 'UNAUTHORIZED' } }

describe('exchangeSignInToken', () => {
  test('exchangeSignInToken begins a session of the user', async () => {
    const { core, exchange, token } = await setup()
    const reply = await exchange(token)
    if (!reply.success) throw new Error(reply.error.message)
    expect(reply.data.user.email).toBe('admin@example.com')
    const credentials: Credentials = { kind: 'bearer', token: reply.data.accessToken }
    expect(await core.run(operations.sessions, credentials, {})).toMatchObject({ data: [{ current: true }] })
  })

  test('exchangeSignInToken lets a user without a password set the first one', async () => {
    const { core, exchange, token, userId } = await setup()
    const begin = async (link: string): Promise<Credentials> => {
      const reply = await exchange(link)
      if (!reply.success) throw new Error(reply.error.message)
      return { kind: 'bearer', token: reply.data.accessToken }
    }
    const setPassword = (credentials: Credentials, password: string) =>
      core.run(operations.patchUser, credentials, { id: userId, password })
    const session = await begin(token)
    const replies = await Promise.all([
      setPassword(session, 'correct horse battery'),
      setPassword(session, 'another horse battery'),
    ])
    expect(replies.map(({ success }) => success).toSorted()).toEqual([false, true])
    // From then on, the current one is required.
    expect(await setPassword(session, 'a third horse battery')).toMatchObject({
      error: { details: { field: 'currentPassword' } },
    })
  })

  test('exchangeSignInToken accepts a token once, also when it is sent twice at the same time', async () => {
    const { exchange, token } = await setup()
    const replies = await Promise.all([exchange(token), exchange(token), exchange(token)])
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    expect(await exchange(token)).toMatchObject(rejected)
  })

  test('exchangeSignInToken rejects a token after 15 minutes', async () => {
    const { exchange, token, clock } = await setup()
    clock.advance(signInTokenLifeMs)
    expect(await exchange(token)).toMatchObject(rejected)
  })

  test.for(['', 'fli_', `fli_${'0'.repeat(73)}`])(
    'exchangeSignInToken rejects the forged token "%s"',
    async (forged) => {
      const { exchange } = await setup()
      expect(await exchange(forged)).toMatchObject(rejected)
    },
  )

  test('exchangeSignInToken rejects a token whose user or expiry was changed', async () => {
    const { exchange, token, signInToken } = await setup()
    const other = signInToken('usr_1')
    expect(await exchange(other.slice(0, 34) + token.slice(34))).toMatchObject(rejected)
    expect(await exchange(token.slice(0, 33) + 'z' + token.slice(34))).toMatchObject(rejected)
  })

  test('exchangeSignInToken rejects the token of a suspended user without using it up', async () => {
    const { exchange, token, stores, userId } = await setup()
    const setStatus = (status: 'active' | 'suspended') =>
      stores.transact(async (tx) => {
        const user = await tx.users.take(userId)
        if (user) await tx.users.replace({ ...user, status })
      })
    await setStatus('suspended')
    expect(await exchange(token)).toMatchObject({ error: { code: 'FORBIDDEN' } })
    await setStatus('active')
    expect(await exchange(token)).toMatchObject({ success: true })
  })
})
