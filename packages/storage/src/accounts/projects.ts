import type { ProjectRow, ProjectStore } from '@fairlead/accounts/stores'
import type { ProjectRole } from '@fairlead/core/stores'
import { sql } from 'kysely'
import { equal, RecordTable, selectSlice } from '../sql/record-table.ts'
import type { Database, Schema } from '../sql/schema.ts'
import { toRow } from '../sql/statements.ts'
import { isProject, removeOwner, toProject } from './owners.ts'
import { activeOwners } from './project-members.ts'

export function sqlProjects(db: Database): ProjectStore {
  const projects = new RecordTable(db, 'users', toProject)
  return {
    find: async (id) => (await projects.where(isProject, ...equal<'users'>({ id })))[0],
    async findMany(ids) {
      return ids.length === 0 ? [] : projects.where(isProject, sql`id in (${sql.join(ids)})`)
    },
    list: (_filters, slice) => projects.list([isProject], slice),
    async listOf(userId, slice, soleOwner = false) {
      const isSole = sql`and project_members.role = 'owner' and not exists (
        select 1 from ${activeOwners(userId)} where active_owners.project_id = project_members.project_id
      )`
      const source = sql`(
        select users.*, project_members.role as member_role
        from project_members join users on users.id = project_members.project_id
        where project_members.user_id = ${userId} ${soleOwner ? isSole : sql``}
      ) as projects`
      const { rows } = await selectSlice<Schema['users'] & { member_role: ProjectRole }>(source, [], slice).execute(db)
      return rows.map((row) => ({ ...toProject(row), memberRole: row.member_role }))
    },
    countCreatedBy: (userId) => projects.count([isProject, ...equal<'users'>({ created_by: userId })]),
    take: (id) => projects.take(id, 'version', isProject),
    async add(project) {
      await db.insertInto('users').values(toProjectRow(project)).execute()
    },
    async replace(project) {
      const { id, ...row } = toProjectRow(project)
      await db.updateTable('users').set(row).where('id', '=', id).execute()
    },
    async remove(id) {
      await db.deleteFrom('project_invitations').where('project_id', '=', id).execute()
      await db.deleteFrom('project_members').where('project_id', '=', id).execute()
      await removeOwner(db, id)
    },
  }
}

/** Nobody can log in with the email address of a project, which is its id. */
function toProjectRow({ quotaScope, ...project }: ProjectRow): Schema['users'] {
  const row = toRow({ ...project, quotaScope: quotaScope === 'key' ? ('key' as const) : ('user' as const) })
  return { ...row, kind: 'project', email: project.id, allowed_networks: null }
}
