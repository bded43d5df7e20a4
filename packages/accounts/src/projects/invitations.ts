import * as z from 'zod'
import {
  actingUser,
  includesRole,
  requireAccount,
  deletion,
  instant,
  namedObject,
  toInstant,
} from '@fairlead/core/feature'
import { FairleadError } from '@fairlead/core'
import { type AccountServices, list, write } from '../services.ts'
import { countInvitationMail } from '../sessions/throttles.ts'
import { hashToken, newInvitationToken } from '../sessions/tokens.ts'
import type { AccountTransaction } from '../account-stores.ts'
import { userFields } from '../users/user.ts'
import { withVerifiedEmail } from '../users/verify-email.ts'
import { requireActive } from './project-rejection.ts'
import { changeRole, checkGrantedRole, refusePersonal, requireRole, takeProject } from './member.ts'
import { checkCount } from './members.ts'
import { projectId, projectRecord, projectRole, toProjectRecord } from './project.ts'
import { ofProjects } from './projects.ts'
import type { InvitationRow } from './project-stores.ts'

const lifeMs = 7 * 24 * 3_600_000
const maxOpen = 100

const invitationId = z.string().max(64).describe('Invitation id: `inv_` and digits.')

const invitationRecord = namedObject('Invitation', 'An invitation to a project, without its token.', {
  id: z.string().describe('Invitation id: `inv_` and digits.'),
  projectId: z.string().describe('Id of the project.'),
  role: projectRole.describe('The role that it gives.'),
  email: z
    .string()
    .nullable()
    .describe(
      'Only the user with this verified email address can accept it, or with this one and the link that was mailed. Null: any user.',
    ),
  createdBy: z.string().nullable().describe('Id of the user who created it. Null for a program.'),
  createdAt: instant.describe('When it was created.'),
  expiresAt: instant.describe('When it expires: seven days later.'),
})

const invitationWithToken = invitationRecord
  .extend({
    token: z.string().describe('The token, shown only once. Who has it can accept the invitation once.'),
    mailed: z.boolean().describe('Whether the service also mails it to the email address.'),
  })
  .meta({ id: 'InvitationWithToken', description: 'An invitation with its token, which is shown only once.' })

function toInvitationRecord({
  tokenHash: _hash,
  acceptedAt: _at,
  acceptedBy: _by,
  ...invitation
}: InvitationRow): z.output<typeof invitationRecord> {
  return {
    ...invitation,
    createdAt: toInstant(invitation.createdAt),
    expiresAt: toInstant(invitation.expiresAt),
  }
}

export const listInvitations = list({
  name: 'projectInvitations',
  summary: 'Lists the invitations to a project that can still be accepted.',
  ...ofProjects,
  rest: { method: 'GET', path: '/projects/{project_id}/invitations' },
  graphql: { query: 'projectInvitations' },
  filters: { projectId },
  record: invitationRecord,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find({ stores }, { caller, at }, filters, slice) {
    refusePersonal(caller, filters.projectId)
    return stores.read(async (view) => {
      await requireRole(view, caller, filters.projectId, 'admin')
      return view.invitations.listOpen(filters.projectId, at, slice)
    })
  },
  show: toInvitationRecord,
})

export const createInvitation = write({
  name: 'createInvitation',
  summary: 'Creates an invitation to a project. Its token is shown only once, and is valid for seven days.',
  ...ofProjects,
  rest: { method: 'POST', path: '/projects/{project_id}/invitations' },
  graphql: {
    mutation: 'createInvitation',
    payload: { record: 'invitation', type: invitationRecord, fields: ['token', 'mailed'] },
  },
  input: z.strictObject({
    projectId,
    role: projectRole.describe('The role that it gives, at most the caller’s own.'),
    email: userFields.email
      .nullable()
      .default(null)
      .describe(
        'Only the user with this verified email address can accept it, or with this one and the link that was mailed. Null: any user.',
      ),
  }),
  output: invitationWithToken,
  creates: true,
  errors: ['NOT_FOUND', 'CONFLICT'],
  prepare: ({ mailInvitation, invitationProofs }, _call, input) => ({
    ...input,
    proofs: mailInvitation && invitationProofs,
  }),
  async apply(tx, call, { projectId: id, role, email, proofs }) {
    const { project, role: own } = await takeProject(tx, call.caller, id, 'admin')
    checkGrantedRole(own, role)
    if ((await tx.invitations.countOpen(id, call.at)) >= maxOpen) {
      throw new FairleadError('CONFLICT', `A project can have at most ${maxOpen} open invitations. Delete one first.`)
    }
    const token = newInvitationToken()
    const inviter = call.caller.kind === 'account' ? await tx.users.find(actingUser(call.caller)) : undefined
    const invitation: InvitationRow = {
      id: call.newId('inv'),
      projectId: id,
      role,
      email,
      tokenHash: hashToken(token),
      createdBy: inviter?.id ?? null,
      createdAt: call.at,
      expiresAt: call.at + lifeMs,
      acceptedAt: null,
      acceptedBy: null,
    }
    await tx.invitations.add(invitation)
    const record = toInvitationRecord(invitation)
    call.audit({ target: { type: 'invitation', id: invitation.id }, owner: id, after: record })
    const mailed =
      proofs !== undefined && email !== null && (!inviter || (await countInvitationMail(tx, inviter.id, call.at)))
    if (mailed) {
      const named = { project: project.name, invitedBy: inviter?.name ?? null }
      const mail = { id: invitation.id, email, token: proofs.add(token), ...named }
      call.afterCommit(({ mailInvitation }: AccountServices) => void mailInvitation?.(mail))
    }
    return { ...record, token, mailed }
  },
})

export const deleteInvitation = write({
  name: 'deleteInvitation',
  summary: 'Deletes an invitation, which can then no longer be accepted.',
  ...ofProjects,
  rest: { method: 'DELETE', path: '/projects/{project_id}/invitations/{invitation_id}' },
  graphql: { mutation: 'deleteInvitation' },
  input: z.strictObject({ projectId, invitationId }),
  output: deletion,
  errors: ['NOT_FOUND', 'CONFLICT'],
  async apply(tx, call, { projectId: id, invitationId: invitation }) {
    await takeProject(tx, call.caller, id, 'admin')
    if (!(await tx.invitations.remove(id, invitation))) throw new FairleadError('NOT_FOUND', 'Invitation not found.')
    call.audit({ target: { type: 'invitation', id: invitation }, owner: id })
    return { id: invitation, deleted: true as const }
  },
})

export const acceptInvitation = write({
  name: 'acceptInvitation',
  summary: 'Accepts an invitation: the caller becomes a member of its project.',
  ...ofProjects,
  rest: { method: 'POST', path: '/invitations/accept' },
  graphql: { mutation: 'acceptInvitation' },
  input: z.strictObject({ token: z.string().max(200).describe('The token of the invitation.') }),
  output: projectRecord,
  errors: ['NOT_FOUND', 'CONFLICT'],
  prepare: ({ invitationProofs }, _call, { token: text }) => {
    const read = invitationProofs.read(text)
    if (!read) throw invalidInvitation()
    return read
  },
  async apply(tx, call, { token, isMailed }) {
    const userId = actingUser(requireAccount(call.caller))
    // Before the project, as where a user is deleted.
    const user = await (isMailed ? tx.users.take(userId) : tx.users.find(userId))
    const invitation = await tx.invitations.findByTokenHash(hashToken(token))
    if (!user || !invitation || invitation.expiresAt <= call.at) throw invalidInvitation()
    if (invitation.email !== null && invitation.email !== user.email) throw invalidInvitation()
    if (invitation.email !== null && !isMailed && !user.emailVerified) throw unverifiedInvitee()
    const { projectId: id, role } = invitation
    const project = await tx.projects.take(id)
    if (!project || !(await mayStillInvite(tx, invitation))) throw invalidInvitation()
    await requireActive(tx, project)
    const before = await tx.members.find(id, userId)
    if (before && includesRole(before.role, role)) {
      throw new FairleadError('CONFLICT', `You are a member of the project already, with the role "${before.role}".`)
    }
    if (!before) await checkCount(tx, id)
    if (!(await tx.invitations.accept(invitation.id, userId, call.at))) throw invalidInvitation()
    if (isMailed) await withVerifiedEmail(tx, call, user)
    await changeRole(tx, call, { projectId: id, userId }, before, role)
    return toProjectRecord(project, role)
  },
})

/** Whether who created an invitation may still give its role: they may be deleted, suspended, or no admin of the service, since. */
async function mayStillInvite(
  { users, members }: AccountTransaction,
  { projectId: id, role, createdBy }: InvitationRow,
): Promise<boolean> {
  if (createdBy === null) return true
  const user = await users.find(createdBy)
  if (user?.status !== 'active') return false
  if (user.role === 'admin') return true
  const member = await members.find(id, createdBy)
  return member !== undefined && includesRole(member.role, role)
}

/** Anyone can change their address to the invited one. */
function unverifiedInvitee(): FairleadError {
  return new FairleadError(
    'FORBIDDEN',
    'The invitation is for your email address, which is not verified. Use the link that was mailed, or verify the address first.',
  )
}

/** One error for all reasons: it must not tell whether there is such an invitation for another user. */
function invalidInvitation(): FairleadError {
  return new FairleadError(
    'NOT_FOUND',
    'The invitation is not valid. It works once, within seven days, and only for its email address if it has one.',
  )
}
