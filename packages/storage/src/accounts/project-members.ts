import type { MemberRow, MemberStore, NamedMember } from '@fairlead/accounts/stores'
import { type RawBuilder, sql } from 'kysely'
import { selectSlice } from '../sql/record-table.ts'
import type { Database, RowOf } from '../sql/schema.ts'
import { toRow } from '../sql/statements.ts'

export function sqlMembers(db: Database): MemberStore {
  const ofProject = (projectId: string) => db.selectFrom('project_members').where('project_id', '=', projectId)
  const count = async (query: ReturnType<typeof ofProject>) => {
    const { total } = await query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    return Number(total)
  }
  return {
    async find(projectId, userId) {
      const row = await ofProject(projectId).selectAll().where('user_id', '=', userId).executeTakeFirst()
      return row && toMember(row)
    },
    async list(projectId, slice) {
      const source = sql`(
        select project_members.*, users.id as id, users.name as name, users.email as email
        from project_members join users on users.id = project_members.user_id
        where project_members.project_id = ${projectId}
      ) as members`
      const { rows } = await selectSlice<RowOf<NamedMember>>(source, [], slice).execute(db)
      return rows.map((row) => ({ ...toMember(row), id: row.id, name: row.name, email: row.email }))
    },
    async ofUser(userId) {
      const rows = await db.selectFrom('project_members').selectAll().where('user_id', '=', userId).execute()
      return rows.map(toMember)
    },
    count: (projectId) => count(ofProject(projectId)),
    async withoutActiveOwner(projectIds, except) {
      if (projectIds.length === 0) return []
      const { rows } = await sql<{ project_id: string }>`
        select distinct project_id from ${activeOwners(except)} where project_id in (${sql.join(projectIds)})
      `.execute(db)
      const owned = new Set(rows.map((row) => row.project_id))
      return projectIds.filter((id) => !owned.has(id))
    },
    async set(member) {
      await db
        .insertInto('project_members')
        .values(toRow(member))
        .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doUpdateSet({ role: member.role }))
        .execute()
    },
    async remove(projectId, userId) {
      await db.deleteFrom('project_members').where('project_id', '=', projectId).where('user_id', '=', userId).execute()
    },
  }
}

/**
 * The memberships of active owners, as a table that has `project_id`.
 *
 * @param except a user who does not count. Default: none
 */
export function activeOwners(except = ''): RawBuilder<unknown> {
  return sql`(
    select project_members.project_id
    from project_members join users on users.id = project_members.user_id
    where project_members.role = 'owner' and users.status = 'active' and users.id <> ${except}
  ) as active_owners`
}

function toMember(row: RowOf<MemberRow>): MemberRow {
  return { projectId: row.project_id, userId: row.user_id, role: row.role, createdAt: row.created_at }
}
