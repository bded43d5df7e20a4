import { describe, expect, onTestFinished, test } from 'vitest'
import { accounts } from '../accounts.ts'
import type { AddressMail } from '../users/address-mail.ts'
import { hashToken } from '../sessions/tokens.ts'
import { memoryStores } from '@fairlead/core/stores'
import { operations, type Stores } from '@fairlead/testing/workspace'
import { fakeOutbound, plainPasswords, testCore, type TestCore, testStores } from '@fairlead/testing'
import { createFairlead, type Credentials, type DataOf, type Operation } from '@fairlead/core'
import { webhooks } from '@fairlead/webhooks'

const from = { requestId: 'req_1', address: '203.0.113.7' }
const password = 'the member’s password'
const email = 'mem@example.com'
const bearer = (token: string): Credentials => ({ kind: 'bearer', token })
const none: Credentials = { kind: 'none' }

/** Runs operations from one address, each later than those before. */
function runner({ core, clock }: Pick<TestCore, 'core' | 'clock'>) {
  return async <Op extends Operation>(operation: Op, credentials: Credentials, input: object): Promise<DataOf<Op>> => {
    clock.advance(1)
    const reply = await core.run<Operation>(operation, credentials, input, from)
    clock.advance(1)
    if (!reply.success || 'events' in reply) throw new Error(`${operation.name}: ${JSON.stringify(reply)}`)
    return reply.data as DataOf<Op>
  }
}

async function setup(options: Parameters<typeof testCore>[0] = {}) {
  const world = await testCore(options)
  const run = runner(world)
  const admin = await world.addCaller({ user: { role: 'admin', tier: 'enterprise' } })
  const member = await run(operations.signup, none, { email, password, name: 'Mem' })
  const entries = (input: Parameters<typeof world.fairlead.audit.list>[0] = {}) => world.fairlead.audit.list(input)
  /** The newest entry. */
  const last = async () => (await entries({ limit: 1 }))[0]
  return { ...world, run, admin, member, own: bearer(member.accessToken), entries, last }
}

/** Stores that can write everything but the audit log. */
function withoutLog(): Stores {
  const stores = testStores()
  const add = () => Promise.reject(new Error('no'))
  return {
    ...stores,
    transact: (work) => stores.transact((tx) => work({ ...tx, audit: { ...tx.audit, add } })),
  }
}

/** Operations that change records and add no entry, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  sendEmailVerification: 'sends a mail, and changes no user',
  refresh: 'continues a session; a token that is used twice is in the log as a failure',
  passkeyOptions: 'begins a change',
  passkeyLoginOptions: 'begins a login',
  testWebhook: 'sends an event, and changes no webhook',
  redeliver: 'sends an event, and changes no webhook',
  recoverWebhook: 'sends events, and changes no webhook',
}

describe('the audit log', () => {
  test('the audit log has every operation that changes accounts or webhooks, and none of their secrets', async () => {
    const mails: AddressMail[] = []
    const sendAddressMail = async (mail: AddressMail) => void mails.push(mail)
    const { run, admin, member, own, entries, signInToken } = await setup({ sendAddressMail })
    const secrets = [password, member.accessToken, member.refreshToken]
    const keep = <Shown extends { readonly secret: string }>(shown: Shown): Shown => {
      secrets.push(shown.secret, hashToken(shown.secret))
      return shown
    }
    const program: Credentials = { kind: 'embedded' }
    const identity = { issuer: 'https://id.example.com', subject: 'ada' }
    await run(operations.signInWithIdentity, program, { ...identity, email: 'ada@example.com', name: 'Ada' })
    await run(operations.endIdentitySessions, program, { ...identity, tokenId: '1' })
    const login = await run(operations.login, none, { email, password })
    const [current] = await run(operations.sessions, bearer(login.accessToken), {})
    await run(operations.endSession, own, { id: current!.id })
    const exchanged = await run(operations.exchangeSignInToken, none, { token: signInToken(member.user.id) })
    await run(operations.logout, none, { refreshToken: exchanged.refreshToken })
    const begun = await run(operations.passkeyOptions, own, { currentPassword: password })
    const passkey = { id: 'phone', challenge: begun.options['challenge'] }
    const { id: passkeyId } = await run(operations.addPasskey, own, { token: begun.token, response: passkey })
    const asked = await run(operations.passkeyLoginOptions, none, {})
    const used = { ...passkey, challenge: asked.options['challenge'], counter: 1, isVerified: true }
    await run(operations.loginWithPasskey, none, { token: asked.token, response: used })
    secrets.push(begun.token, asked.token, 'key of phone')
    await run(operations.updatePasskey, own, { id: passkeyId, name: 'Phone' })
    await run(operations.removePasskey, own, { id: passkeyId })
    const again = await run(operations.passkeyOptions, own, { currentPassword: password })
    const tablet = { id: 'tablet', challenge: again.options['challenge'] }
    await run(operations.addPasskey, own, { token: again.token, response: tablet })
    const key = keep(await run(operations.createApiKey, own, { name: 'robot' }))
    await run(operations.updateApiKey, own, { id: key.id, name: 'android' })
    keep(await run(operations.rotateApiKey, own, { id: key.id }))
    await run(operations.revokeApiKey, own, { id: key.id })
    const webhook = keep(await run(operations.createWebhook, own, { url: 'https://example.com/', events: ['*'] }))
    await run(operations.updateWebhook, own, { id: webhook.id, url: 'https://example.com/', events: ['user.*'] })
    await run(operations.patchWebhook, own, { id: webhook.id, description: 'ours' })
    keep(await run(operations.rotateWebhookSecret, own, { id: webhook.id }))
    await run(operations.deleteWebhook, own, { id: webhook.id })
    await run(operations.sendEmailVerification, own, {})
    const token = mails[0]?.kind === 'verification' ? mails[0].token : ''
    secrets.push(token)
    await run(operations.verifyEmail, own, { token })
    const changed = { password: 'another password', currentPassword: password }
    await run(operations.patchUser, own, { id: member.user.id, ...changed })
    const created = { email: 'new@example.com', name: 'New', password: 'a third password' }
    const { id } = await run(operations.createUser, admin.credentials, created)
    await run(operations.updateUser, admin.credentials, { id, email: created.email, name: 'Old' })
    await run(operations.deleteUser, admin.credentials, { id })
    const project = await run(operations.createProject, own, { name: 'Search' })
    const { id: projectId } = project
    await run(operations.updateProject, own, { id: projectId, name: 'Ads' })
    const invitation = await run(operations.createInvitation, own, { projectId, role: 'viewer' })
    secrets.push(invitation.token, hashToken(invitation.token))
    await run(operations.acceptInvitation, admin.credentials, { token: invitation.token })
    const { id: invitationId } = await run(operations.createInvitation, own, { projectId, role: 'viewer' })
    await run(operations.deleteInvitation, own, { projectId, invitationId })
    const memberOf = { projectId, userId: admin.userId }
    await run(operations.setProjectMember, own, { ...memberOf, role: 'developer' })
    await run(operations.removeProjectMember, own, memberOf)
    await run(operations.deleteProject, own, { id: projectId })
    await run(operations.removePasskeys, admin.credentials, { id: member.user.id })

    const all = await entries({ limit: 100 })
    const writes = createFairlead({ providers: [], features: [accounts(), webhooks()] }).core.operations.filter(
      ({ kind }) => kind === 'write',
    )
    const missing = writes.map(({ name }) => name).filter((name) => !all.some(({ action }) => action === name))
    expect(missing.toSorted()).toEqual(Object.keys(exceptions).toSorted())
    const text = JSON.stringify(all)
    const shown = [...secrets, ...Object.values(changed), created.password, 'hash of'].filter((each) =>
      text.includes(each),
    )
    expect(shown).toEqual([])
    expect(all.every(({ address, requestId }) => address === from.address && requestId === from.requestId)).toBe(true)
  })

  test('the audit log has who did it, and the fields that changed', async () => {
    const { run, admin, member, last } = await setup()
    await run(operations.patchUser, admin.credentials, { id: member.user.id, tier: 'enterprise', quotaLimit: 7 })
    expect(await last()).toEqual({
      id: expect.stringMatching(/^aud_\d{37}$/),
      createdAt: expect.any(String),
      action: 'patchUser',
      outcome: 'ok',
      actor: admin.userId,
      credential: admin.keyId,
      projectId: null,
      target: { type: 'user', id: member.user.id },
      before: { tier: 'free', quota_limit: null },
      after: { tier: 'enterprise', quota_limit: 7 },
      address: from.address,
      requestId: from.requestId,
    })
  })

  test('the audit log has of lists and tags what a change removed and what it added, and not what stays', async () => {
    const { run, admin, keyId, last } = await setup()
    const models = Array.from({ length: 60 }, (_, n) => `model-${n}`)
    await run(operations.updateApiKey, admin.credentials, {
      id: keyId,
      models,
      metadata: { team: 'search', env: 'test' },
    })
    expect(await last()).toMatchObject({ before: { models: null, metadata: null }, after: { models } })
    const changed = { models: [...models.slice(1), 'other'], metadata: { team: 'ads', env: 'test', part: 'x' } }
    await run(operations.updateApiKey, admin.credentials, { id: keyId, ...changed })
    expect(await last()).toMatchObject({
      before: { models: ['model-0'], metadata: { team: 'search' } },
      after: { models: ['other'], metadata: { team: 'ads', part: 'x' } },
    })
    await run(operations.updateApiKey, admin.credentials, { id: keyId, models: changed.models.toReversed() })
    expect(await last()).toMatchObject({ before: { models: [] }, after: { models: [] } })
  })

  test('the audit log has a changed password without the password', async () => {
    const { fairlead, member, last } = await setup()
    await fairlead.users.patch({ id: member.user.id, password: 'another password' })
    expect(await last()).toMatchObject({ actor: 'operator', before: {}, after: { password: 'changed' } })
  })

  test('the audit log has each key that is revoked with the key that created it', async () => {
    const { run, own, entries } = await setup()
    const parent = await run(operations.createApiKey, own, { name: 'parent', scopes: ['keys'] })
    const child = await run(operations.createApiKey, bearer(parent.secret), { name: 'child', scopes: ['keys'] })
    await run(operations.revokeApiKey, own, { id: parent.id, children: true })
    const revoked = await entries({ action: 'revokeApiKey', sort: 'created_at' })
    expect(revoked.map(({ target }) => target.id).toSorted()).toEqual([parent.id, child.id].toSorted())
  })

  test('the audit log has a webhook that the service disabled', async () => {
    const gone = async () => ({ status: 410, headers: {}, body: Buffer.alloc(0), truncated: false })
    const { core, clock, run, own, last } = await setup({ outbound: { ...fakeOutbound(), request: gone } })
    onTestFinished(() => core.close())
    const { id } = await run(operations.createWebhook, own, { url: 'https://example.com/', events: ['*'] })
    core.startJobs()
    await run(operations.testWebhook, own, { id })
    await expect.poll(async () => (clock.advance(1_000), (await last())?.action)).toBe('disableWebhook')
    expect(await last()).toMatchObject({
      actor: 'service',
      credential: null,
      target: { type: 'webhook', id },
      before: { enabled: true, disabled_reason: null },
      after: { enabled: false, disabled_reason: 'gone' },
      requestId: null,
    })
  })

  test('the audit log has no change that was rolled back', async () => {
    const { core, run, admin, entries } = await setup()
    const input = { email, name: 'Mem', password }
    expect(await core.run(operations.createUser, admin.credentials, input)).toMatchObject({
      error: { code: 'CONFLICT' },
    })
    expect(await entries({ action: 'createUser' })).toEqual([])
    await run(operations.createUser, admin.credentials, { ...input, email: 'new@example.com' })
    expect(await entries({ action: 'createUser' })).toHaveLength(1)
  })

  test('the audit log fails a change that it cannot store', async () => {
    const { core, caller } = await testCore({ stores: withoutLog() })
    const create = () => core.run(operations.createApiKey, caller, { name: 'robot' })
    expect(await create()).toMatchObject({ error: { code: 'INTERNAL_ERROR' } })
    expect(await core.run(operations.apiKeys, caller, { search: 'robot' })).toMatchObject({ data: [] })
  })

  test('the audit log is not needed: a core without it changes records as before', async () => {
    const features = [accounts({ passwords: plainPasswords() })] as const
    const { core, sessions } = createFairlead({ providers: [], features, stores: memoryStores({ features }) })
    const { user } = await sessions.signup({ email, password, name: 'Mem' })
    expect(user.email).toBe(email)
    expect(core.auditSink).toBeUndefined()
  })
})

describe('a sign-in in the audit log', () => {
  test('a sign-in in the audit log has the user and the session', async () => {
    const { run, member, last } = await setup()
    const { accessToken } = await run(operations.login, none, { email, password })
    const [session] = await run(operations.sessions, bearer(accessToken), {})
    const { id } = member.user
    expect(await last()).toMatchObject({ action: 'login', outcome: 'ok', actor: id, credential: session!.id })
    expect((await last())?.target).toEqual({ type: 'user', id })
  })

  test('a sign-in in the audit log that fails names the user, if the email address is that of one', async () => {
    const { core, clock, member, entries } = await setup()
    for (const tried of [email, 'nobody@example.com']) {
      clock.advance(1)
      await core.run(operations.login, none, { email: tried, password: 'a wrong password' }, from)
    }
    const facts = { action: 'login', outcome: 'UNAUTHORIZED', actor: null, before: null, after: null, ...from }
    expect(await entries({ action: 'login', sort: 'created_at' })).toMatchObject([
      { ...facts, target: { type: 'user', id: member.user.id } },
      { ...facts, target: { type: 'user', id: null } },
    ])
  })

  test('a sign-in in the audit log of a suspended user fails', async () => {
    const { core, run, admin, member, last } = await setup()
    await run(operations.patchUser, admin.credentials, { id: member.user.id, status: 'suspended' })
    await core.run(operations.login, none, { email, password })
    expect(await last()).toMatchObject({ action: 'login', outcome: 'FORBIDDEN', target: { id: member.user.id } })
  })

  test('a sign-in in the audit log with a sign-in link that was used fails', async () => {
    const { core, run, member, last, signInToken } = await setup()
    const token = signInToken(member.user.id)
    await run(operations.exchangeSignInToken, none, { token })
    await core.run(operations.exchangeSignInToken, none, { token })
    expect(await last()).toMatchObject({ action: 'exchangeSignInToken', outcome: 'UNAUTHORIZED' })
  })

  test('a sign-in in the audit log with a stolen refresh token fails', async () => {
    const { core, clock, run, member, last } = await setup()
    const { refreshToken } = member
    await run(operations.refresh, none, { refreshToken })
    clock.advance(60_000)
    await core.run(operations.refresh, none, { refreshToken })
    expect(await last()).toMatchObject({ action: 'refresh', outcome: 'UNAUTHORIZED', target: { type: 'session' } })
  })

  test('a sign-in in the audit log that a limit rejects is not stored', async () => {
    const { core, entries } = await setup()
    for (let attempt = 0; attempt < 12; attempt++) {
      await core.run(operations.login, none, { email, password: 'a wrong password' }, from)
    }
    expect(await entries({ action: 'login' })).toHaveLength(10)
  })

  test('a sign-in in the audit log fails with its own reason if the log cannot be written', async () => {
    const { core, logged } = await testCore({ stores: withoutLog() })
    const attempt = core.run(operations.login, none, { email, password })
    expect(await attempt).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
    expect(logged).toMatchObject([{ level: 'warn', message: 'could not add a failure to the audit log' }])
  })
})

describe('the reads of the audit log', () => {
  test('the reads of the audit log are in it, with who read and the filters', async () => {
    const { run, admin, last, entries } = await setup()
    await run(operations.auditLog, admin.credentials, { action: 'login', limit: 5 })
    expect(await last()).toMatchObject({
      action: 'auditLog',
      outcome: 'ok',
      actor: admin.userId,
      credential: admin.keyId,
      projectId: null,
      target: { type: 'audit_log', id: null },
      before: null,
      after: { action: 'login' },
      ...from,
    })
    expect(await entries({ action: 'auditLog' })).toHaveLength(1)
  })

  test('the reads of the audit log by the embedding program are not in it', async () => {
    const { entries } = await setup()
    await entries()
    expect(await entries({ action: 'auditLog' })).toEqual([])
  })

  test('the reads of the audit log add one entry for a list, however many pages it has', async () => {
    const { core, run, admin, entries } = await setup()
    const first = await core.run(operations.auditLog, admin.credentials, { limit: 1 })
    const cursor = first.success ? first.meta.page!.nextCursor! : ''
    await run(operations.auditLog, admin.credentials, { limit: 1, cursor })
    expect(await entries({ action: 'auditLog' })).toHaveLength(1)
  })

  test('the reads of the audit log with the cursor of somebody else are in it', async () => {
    const { core, run, admin, entries, addCaller } = await setup()
    const first = await core.run(operations.auditLog, admin.credentials, { limit: 1 })
    const cursor = first.success ? first.meta.page!.nextCursor! : ''
    const other = await addCaller({ user: { role: 'admin', tier: 'enterprise' } })
    await run(operations.auditLog, other.credentials, { limit: 1, cursor })
    expect((await entries({ action: 'auditLog' })).map(({ credential }) => credential)).toEqual([
      other.keyId,
      admin.keyId,
    ])
  })

  test('the reads of the audit log add at most 60 entries an hour for a credential, so that a reader cannot fill it', async () => {
    const { core, admin, entries, clock } = await setup()
    const read = () => core.run(operations.auditLog, admin.credentials, {})
    for (let n = 0; n < 70; n++) expect(await read()).toMatchObject({ success: true })
    expect(await entries({ action: 'auditLog', limit: 100 })).toHaveLength(60)
    clock.advance(3_600_000)
    await read()
    expect(await entries({ action: 'auditLog', limit: 100 })).toHaveLength(61)
  })
})
