import type { InvitationRow, InvitationStore } from '@fairlead/accounts/stores'
import { sql, type SqlBool } from 'kysely'
import { type Conditions, equal, purge, RecordTable } from '../sql/record-table.ts'
import type { Database, RowOf } from '../sql/schema.ts'
import { toRow } from '../sql/statements.ts'

const isOpen = sql<SqlBool>`accepted_at is null`

export function sqlInvitations(db: Database): InvitationStore {
  const invitations = new RecordTable(db, 'project_invitations', toInvitation)
  const whereOpen = (projectId: string, at: number): Conditions => [
    ...equal<'project_invitations'>({ project_id: projectId }),
    isOpen,
    sql<SqlBool>`expires_at > ${at}`,
  ]
  return {
    listOpen: (projectId, at, slice) => invitations.list(whereOpen(projectId, at), slice),
    countOpen: (projectId, at) => invitations.count(whereOpen(projectId, at)),
    findByTokenHash: async (hash) =>
      (await invitations.where(...equal<'project_invitations'>({ token_hash: hash })))[0],
    async add(invitation) {
      await db.insertInto('project_invitations').values(toRow(invitation)).execute()
    },
    async accept(id, by, at) {
      const { numUpdatedRows } = await db
        .updateTable('project_invitations')
        .set({ accepted_by: by, accepted_at: at })
        .where('id', '=', id)
        .where('accepted_at', 'is', null)
        .executeTakeFirst()
      return Number(numUpdatedRows) === 1
    },
    async remove(projectId, id) {
      return (
        (await invitations.remove(isOpen, ...equal<'project_invitations'>({ id, project_id: projectId }))).length > 0
      )
    },
    async removeCreatedBy(projectId, userId) {
      await invitations.remove(isOpen, ...equal<'project_invitations'>({ project_id: projectId, created_by: userId }))
    },
    purge: (before, limit) => purge(db, { from: 'project_invitations', key: ['id'], by: 'expires_at' }, before, limit),
  }
}

function toInvitation(row: RowOf<InvitationRow>): InvitationRow {
  return {
    id: row.id,
    projectId: row.project_id,
    role: row.role,
    email: row.email,
    tokenHash: row.token_hash,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    acceptedAt: row.accepted_at,
    acceptedBy: row.accepted_by,
  }
}
