import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { testCore, type TestCoreOptions } from '@fairlead/testing'
import type { AddressMail } from './address-mail.ts'

const password = 'a long password'
const ada = { email: 'ada@example.com', password, name: 'Ada' }

async function world(options: TestCoreOptions = {}) {
  const mails: AddressMail[] = []
  const made = await testCore({ sendAddressMail: async (mail) => void mails.push(mail), ...options })
  const { fairlead, core } = made
  const signUp = async (facts: Partial<typeof ada> = {}) => {
    const { user, accessToken } = await fairlead.sessions.signup({ ...ada, ...facts })
    const credentials = { kind: 'bearer', token: accessToken } as const
    return {
      id: user.id,
      user,
      send: () => core.run(operations.sendEmailVerification, credentials, {}),
      verify: (token: string) => core.run(operations.verifyEmail, credentials, { token }),
      change: (fields: object) => core.run(operations.patchUser, credentials, { id: user.id, ...fields }),
      replace: (fields: object) =>
        core.run(operations.updateUser, credentials, { id: user.id, email: ada.email, name: ada.name, ...fields }),
    }
  }
  const tokenIn = (mail: AddressMail | undefined) => (mail?.kind === 'verification' ? mail.token : '')
  const isVerified = async (id: string) => (await fairlead.users.get({ id })).emailVerified
  return { ...made, mails, signUp, tokenIn, isVerified }
}

const failure = (code: string) => ({ success: false, error: { code } })

describe('sendEmailVerification', () => {
  test('sendEmailVerification mails a token that verifies the address of the user, once they follow the link', async () => {
    const { mails, signUp, tokenIn, isVerified } = await world()
    const { id, user, send, verify } = await signUp()
    expect(user.emailVerified).toBe(false)
    expect(await send()).toMatchObject({ data: { email: 'ada@example.com' } })
    expect(mails).toMatchObject([{ kind: 'verification', email: 'ada@example.com' }])
    expect(await isVerified(id)).toBe(false)
    expect(await verify(tokenIn(mails[0]))).toMatchObject({ data: { id, emailVerified: true } })
    expect(await send()).toMatchObject(failure('CONFLICT'))
  })

  test('sendEmailVerification mails at most five links a day, because a user can choose the address of anyone', async () => {
    const { mails, signUp } = await world()
    const { send } = await signUp()
    for (let n = 0; n < 5; n++) expect(await send()).toMatchObject({ success: true })
    expect(await send()).toMatchObject(failure('RATE_LIMIT_EXCEEDED'))
    expect(mails).toHaveLength(5)
    const { send: sendOther } = await signUp({ email: 'grace@example.com' })
    expect(await sendOther()).toMatchObject({ success: true })
  })

  test('sendEmailVerification fails without a mailer', async () => {
    const { signUp } = await world({ sendAddressMail: undefined })
    const { send } = await signUp()
    expect(await send()).toMatchObject(failure('FORBIDDEN'))
  })

  test('sendEmailVerification logs a mail that cannot be sent, and the user can ask again', async () => {
    const { signUp, logged } = await world({ sendAddressMail: () => Promise.reject(new Error('refused')) })
    const { send } = await signUp()
    expect(await send()).toMatchObject({ success: true })
    await expect.poll(() => logged.map(({ message }) => message)).toContain('could not mail the address of a user')
    expect(await send()).toMatchObject({ success: true })
  })
})

describe('verifyEmail', () => {
  test('verifyEmail rejects the token of another user, who may have signed up with the address of the reader', async () => {
    const { mails, signUp, tokenIn, isVerified } = await world()
    const attacker = await signUp()
    await attacker.send()
    const reader = await signUp({ email: 'reader@example.com' })
    expect(await reader.verify(tokenIn(mails[0]))).toMatchObject(failure('NOT_FOUND'))
    expect(await isVerified(attacker.id)).toBe(false)
    expect(await isVerified(reader.id)).toBe(false)
  })

  test('verifyEmail rejects a token for an address that the user had before', async () => {
    const { mails, signUp, tokenIn } = await world()
    const { send, verify, change } = await signUp()
    await send()
    await change({ email: 'new@example.com', currentPassword: password })
    expect(await verify(tokenIn(mails[0]))).toMatchObject(failure('NOT_FOUND'))
  })

  test('verifyEmail rejects a token after 24 hours, and one that is none', async () => {
    const { fairlead, core, mails, signUp, tokenIn, clock } = await world()
    const { send, verify } = await signUp()
    await send()
    expect(await verify('flv_1')).toMatchObject(failure('NOT_FOUND'))
    clock.advance(24 * 3_600_000)
    const { accessToken } = await fairlead.sessions.login({ email: ada.email, password })
    const late = await core.run(
      operations.verifyEmail,
      { kind: 'bearer', token: accessToken },
      { token: tokenIn(mails[0]) },
    )
    expect(late).toMatchObject(failure('NOT_FOUND'))
  })
})

describe('a changed email address', () => {
  test('a changed email address is not verified, and the former one gets a mail', async () => {
    const { fairlead, mails, signUp, isVerified } = await world()
    const { id, change } = await signUp()
    await fairlead.users.patch({ id, emailVerified: true })
    await change({ name: 'Ada L.' })
    expect(await isVerified(id)).toBe(true)
    await change({ email: 'new@example.com', currentPassword: password })
    expect(await isVerified(id)).toBe(false)
    expect(mails).toEqual([{ kind: 'changed', id: expect.stringMatching(/^msg_/), email: 'ada@example.com' }])
  })

  test('a changed email address is not verified by a member who sends the record as it was', async () => {
    const { fairlead, signUp, isVerified } = await world()
    const { id, replace } = await signUp()
    await fairlead.users.patch({ id, emailVerified: true })
    const changed = { email: 'new@example.com', emailVerified: true, currentPassword: password }
    expect(await replace(changed)).toMatchObject({ success: true })
    expect(await isVerified(id)).toBe(false)
  })

  test('a changed email address is verified if an admin says so in the same request', async () => {
    const { fairlead, signUp, isVerified } = await world()
    const { id } = await signUp()
    await fairlead.users.patch({ id, email: 'new@example.com', emailVerified: true })
    expect(await isVerified(id)).toBe(true)
    await fairlead.users.patch({ id, email: 'newer@example.com' })
    expect(await isVerified(id)).toBe(false)
  })

  test('a changed email address that was verified gets its mail although the user had used up their mails', async () => {
    const { fairlead, mails, signUp } = await world()
    const { id, send, change } = await signUp()
    for (let n = 0; n < 5; n++) await send()
    await fairlead.users.patch({ id, emailVerified: true })
    await change({ email: 'new@example.com', currentPassword: password })
    expect(mails.at(-1)).toMatchObject({ kind: 'changed', email: 'ada@example.com' })
    // This one may belong to anybody.
    await change({ email: 'newer@example.com', currentPassword: password })
    expect(mails.filter(({ kind }) => kind === 'changed')).toHaveLength(1)
  })
})

describe('emailVerified', () => {
  test('emailVerified is set by an admin, and not by members', async () => {
    const { signUp, isVerified, fairlead } = await world()
    const { id, change } = await signUp()
    expect(await change({ emailVerified: true })).toMatchObject(failure('FORBIDDEN'))
    expect(await change({ emailVerified: false, name: 'Ada L.' })).toMatchObject({ success: true })
    await fairlead.users.patch({ id, emailVerified: true })
    expect(await isVerified(id)).toBe(true)
  })

  test('emailVerified is true for a user that an admin creates, unless they say otherwise', async () => {
    const { fairlead } = await world()
    expect(await fairlead.users.create(ada)).toMatchObject({ emailVerified: true })
    const grace = { email: 'grace@example.com', name: 'Grace', password, emailVerified: false }
    expect(await fairlead.users.create(grace)).toMatchObject({ emailVerified: false })
  })

  test.each([true, false])(
    'emailVerified of a new user of single sign-on is what the issuer says: %s',
    async (said) => {
      const { fairlead } = await world()
      const identity = { issuer: 'https://id.example.com', subject: 'ada', email: ada.email, name: 'Ada' }
      const { user } = await fairlead.sessions.signIn({ ...identity, emailVerified: said })
      expect(user.emailVerified).toBe(said)
    },
  )

  test('emailVerified becomes true if the issuer of the user knows the address that the user has', async () => {
    const { fairlead, isVerified } = await world()
    const identity = { issuer: 'https://id.example.com', subject: 'ada', name: 'Ada' }
    const { user } = await fairlead.sessions.signIn({ ...identity, email: ada.email, emailVerified: false })
    await fairlead.sessions.signIn({ ...identity, email: 'other@example.com', emailVerified: true })
    expect(await isVerified(user.id)).toBe(false)
    await fairlead.sessions.signIn({ ...identity, email: ada.email, emailVerified: true })
    expect(await isVerified(user.id)).toBe(true)
  })
})
