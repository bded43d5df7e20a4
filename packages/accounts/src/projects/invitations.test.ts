import { describe, expect, test } from 'vitest'
import { testCore, type TestCoreOptions } from '@fairlead/testing'
import { testProject, operations } from '@fairlead/testing/workspace'
import type { InvitationMail } from './invitation-mail.ts'

async function world(options?: TestCoreOptions) {
  const given = await testCore(options)
  const here = { ...given, ...(await testProject(given)) }
  const invite = (by: keyof typeof here.personal, input: object = {}) =>
    here.core.run(operations.createInvitation, here.personal[by], {
      projectId: here.projectId,
      role: 'viewer',
      ...input,
    })
  const createToken = async (input: object = {}) => {
    const reply = await invite('admin', input)
    if (!reply.success) throw new Error(reply.error.message)
    return reply.data.token
  }
  const accept = (by: keyof typeof here.personal, token: string) =>
    here.core.run(operations.acceptInvitation, here.personal[by], { token })
  return { ...here, invite, createToken, accept }
}

const errorCode = (
  reply: { readonly success: true } | { readonly success: false; readonly error: { readonly code: string } },
) => (reply.success ? 'ok' : reply.error.code)

describe('the mail of an invitation', () => {
  const outbox = () => {
    const sent: InvitationMail[] = []
    return { sent, sendInvitation: async (mail: InvitationMail) => void sent.push(mail) }
  }

  test('the mail of an invitation has the token, the project and who invites', async () => {
    const { sent, sendInvitation } = outbox()
    const { invite } = await world({ sendInvitation })
    const reply = await invite('admin', { email: 'stranger@example.com' })
    const { id, token } = reply.success ? reply.data : { id: '', token: '' }
    expect(reply).toMatchObject({ data: { mailed: true } })
    const named = { project: expect.any(String), invitedBy: expect.any(String) }
    const mailed = expect.stringMatching(new RegExp(`^${token}\\.[\\w-]{43}$`))
    expect(sent).toEqual([{ id, token: mailed, email: 'stranger@example.com', ...named }])
  })

  test('the mail of an invitation is not sent without an email address, or without a mailer', async () => {
    const { sent, sendInvitation } = outbox()
    const { invite } = await world({ sendInvitation })
    expect(await invite('admin')).toMatchObject({ data: { mailed: false } })
    expect(sent).toEqual([])
    const without = await world()
    expect(await without.invite('admin', { email: 'stranger@example.com' })).toMatchObject({ data: { mailed: false } })
  })

  test('the mail of an invitation is sent at most 10 times a day by one user, who could write to anyone', async () => {
    const { sent, sendInvitation } = outbox()
    const { invite } = await world({ sendInvitation })
    for (let n = 0; n < 11; n++) await invite('admin', { email: `person-${n}@example.com` })
    expect(sent).toHaveLength(10)
    expect(await invite('owner', { email: 'one-more@example.com' })).toMatchObject({ data: { mailed: true } })
  })

  test('the mail of an invitation that cannot be sent is logged, and the invitation stays', async () => {
    const { invite, logged } = await world({ sendInvitation: () => Promise.reject(new Error('refused')) })
    expect(await invite('admin', { email: 'stranger@example.com' })).toMatchObject({ success: true })
    await expect.poll(() => logged.map(({ message }) => message)).toContain('could not mail an invitation')
  })
})

describe('an invitation', () => {
  test('an invitation makes the user who accepts it a member, once', async () => {
    const { fairlead, core, projectId, createToken, accept, credentials } = await world()
    const token = await createToken({ role: 'developer' })
    expect(await accept('stranger', token)).toMatchObject({ data: { id: projectId, role: 'developer' } })
    expect(errorCode(await core.run(operations.createApiKey, credentials.stranger, { name: 'one' }))).toBe('ok')
    expect(errorCode(await accept('service admin', token))).toBe('NOT_FOUND')
    expect(await fairlead.projects.invitations({ projectId })).toEqual([])
  })

  test('an invitation is accepted by one of two users who try at the same time', async () => {
    const { createToken, accept } = await world()
    const token = await createToken()
    const replies = await Promise.all([accept('stranger', token), accept('service admin', token)])
    expect(replies.map(errorCode).toSorted()).toEqual(['NOT_FOUND', 'ok'])
  })

  test('an invitation with an email address is only for the user who has it', async () => {
    const { createToken, accept } = await world()
    const token = await createToken({ email: 'Stranger@example.com' })
    expect(errorCode(await accept('service admin', token))).toBe('NOT_FOUND')
    expect(errorCode(await accept('stranger', token))).toBe('ok')
  })

  test('an invitation with an email address is refused by a user who changed theirs to it', async () => {
    const { fairlead, userIds, createToken, accept } = await world()
    const token = await createToken({ email: 'invited@example.com' })
    await fairlead.users.patch({ id: userIds.stranger, email: 'invited@example.com' })
    expect(errorCode(await accept('stranger', token))).toBe('FORBIDDEN')
    await fairlead.users.patch({ id: userIds.stranger, emailVerified: true })
    expect(errorCode(await accept('stranger', token))).toBe('ok')
  })

  test('an invitation with an email address is accepted with the link that was mailed, which verifies the address', async () => {
    const sent: InvitationMail[] = []
    const { fairlead, userIds, createToken, accept } = await world({
      sendInvitation: async (mail) => void sent.push(mail),
    })
    await fairlead.users.patch({ id: userIds.stranger, emailVerified: false })
    await createToken({ email: 'stranger@example.com' })
    expect(errorCode(await accept('service admin', sent[0]!.token))).toBe('NOT_FOUND')
    expect(errorCode(await accept('stranger', sent[0]!.token))).toBe('ok')
    expect(await fairlead.users.get({ id: userIds.stranger })).toMatchObject({ emailVerified: true })
  })

  test('an invitation with an email address is not valid with a proof that nobody mailed', async () => {
    const { fairlead, userIds, createToken, accept } = await world()
    await fairlead.users.patch({ id: userIds.stranger, emailVerified: false })
    const token = await createToken({ email: 'stranger@example.com' })
    for (const proof of ['', 'x', 'A'.repeat(43), `${'A'.repeat(43)}.x`]) {
      expect(errorCode(await accept('stranger', `${token}.${proof}`))).toBe('NOT_FOUND')
    }
  })

  test('an invitation expires after seven days, and is then removed', async () => {
    const { fairlead, core, clock, stores, projectId, createToken } = await world()
    const token = await createToken()
    clock.advance(7 * 24 * 3_600_000)
    const { accessToken } = await fairlead.sessions.login({
      email: 'stranger@example.com',
      password: 'a long password',
    })
    const reply = await core.run(operations.acceptInvitation, { kind: 'bearer', token: accessToken }, { token })
    expect(errorCode(reply)).toBe('NOT_FOUND')
    expect(await fairlead.projects.invitations({ projectId })).toEqual([])
    expect(await stores.transact((tx) => tx.invitations.purge(clock.now() + 1, 10))).toBe(1)
  })

  test('an invitation is refused by members, unless it gives a higher role', async () => {
    const { accept, createToken } = await world()
    expect(errorCode(await accept('developer', await createToken({ role: 'developer' })))).toBe('CONFLICT')
    expect(await accept('viewer', await createToken({ role: 'admin' }))).toMatchObject({ data: { role: 'admin' } })
  })

  test('an invitation is void while who created it may not give its role: deleted, suspended, or no admin of the service any more', async () => {
    const { fairlead, userIds, invite, accept } = await world()
    const createdBy = async (by: Parameters<typeof invite>[0], role: string) => {
      const reply = await invite(by, { role })
      if (!reply.success) throw new Error(reply.error.message)
      return reply.data.token
    }
    const ofDemoted = await createdBy('service admin', 'owner')
    await fairlead.users.patch({ id: userIds.viewer, role: 'admin' })
    await fairlead.users.patch({ id: userIds['service admin'], role: 'member' })
    expect(errorCode(await accept('service admin', ofDemoted))).toBe('NOT_FOUND')
    const ofAdmin = await createdBy('admin', 'admin')
    await fairlead.users.patch({ id: userIds.admin, status: 'suspended' })
    expect(errorCode(await accept('stranger', ofAdmin))).toBe('NOT_FOUND')
    await fairlead.users.delete({ id: userIds.admin })
    expect(errorCode(await accept('stranger', ofAdmin))).toBe('NOT_FOUND')
  })

  test('an invitation is created by admins and owners, with a role of at most their own', async () => {
    const { invite } = await world()
    expect(errorCode(await invite('developer'))).toBe('FORBIDDEN')
    expect(errorCode(await invite('admin', { role: 'owner' }))).toBe('FORBIDDEN')
    expect(errorCode(await invite('owner', { role: 'owner' }))).toBe('ok')
    expect(errorCode(await invite('stranger'))).toBe('NOT_FOUND')
  })

  test('an invitation can be deleted before it is accepted', async () => {
    const { core, projectId, personal, invite, accept } = await world()
    const invited = await invite('admin')
    const { id: invitationId, token } = invited.success ? invited.data : { id: '', token: '' }
    const remove = () => core.run(operations.deleteInvitation, personal.owner, { projectId, invitationId })
    expect(errorCode(await remove())).toBe('ok')
    expect([errorCode(await accept('stranger', token)), errorCode(await remove())]).toEqual(['NOT_FOUND', 'NOT_FOUND'])
  })

  test('an invitation has its token only in the response that created it', async () => {
    const { fairlead, stores, projectId, createToken } = await world()
    const token = await createToken()
    expect(token).toMatch(/^flp_[0-9A-Za-z]{49}$/)
    const listed = await fairlead.projects.invitations({ projectId })
    const logged = await stores.read((view) => view.audit.list({}, { first: 'newest', limit: 100 }))
    expect(listed).toHaveLength(1)
    expect(JSON.stringify([listed, logged])).not.toContain(token)
  })
})
