import type { Owner, OwnerStore, ProjectRow, UserRow } from '@fairlead/accounts/stores'
import { sql, type SqlBool } from 'kysely'
import { RecordTable } from '../sql/record-table.ts'
import type { Database, Schema } from '../sql/schema.ts'

/** Literals, so that partial indexes apply. */
export const isUser = sql<SqlBool>`kind = 'user'`
export const isProject = sql<SqlBool>`kind = 'project'`

export function sqlOwners(db: Database): OwnerStore {
  const owners = new RecordTable(db, 'users', toOwner)
  return {
    find: (id) => owners.find(id),
    findMany: (ids) => owners.findMany(ids),
    take: (id) => owners.take(id, 'version'),
  }
}

/** Removes the row of a user or a project, and its keys. Those that refer to it otherwise are removed before, or with it. */
export async function removeOwner(db: Database, id: string): Promise<void> {
  await db.deleteFrom('api_keys').where('user_id', '=', id).execute()
  await db.deleteFrom('users').where('id', '=', id).execute()
}

type Row = Schema['users']

export function toOwner(row: Row): Owner {
  return row.kind === 'project' ? toProject(row) : toUser(row)
}

export function toUser(row: Row): UserRow {
  return {
    ...toFields(row),
    email: row.email,
    emailVerified: row.email_verified === 1,
    role: row.role,
    quotaScope: row.quota_scope,
    adminByIdentity: row.admin_by_identity === 1,
    allowedNetworks: row.allowed_networks === null ? null : (JSON.parse(row.allowed_networks) as string[]),
    models: row.models ? (JSON.parse(row.models) as readonly string[]) : null,
  }
}

/** A shared quota has the scope of a user in the table, so that versions before share it, too. */
export function toProject(row: Row): ProjectRow {
  const quotaScope = row.quota_scope === 'key' ? 'key' : 'project'
  return { ...toFields(row), role: 'member', quotaScope, createdBy: row.created_by ?? null, funded: row.funded !== 0 }
}

function toFields(row: Row): Omit<Owner, 'role' | 'quotaScope'> {
  return {
    id: row.id,
    name: row.name,
    tier: row.tier,
    quotaLimit: row.quota_limit,
    budgetUsd: row.budget_usd,
    budgetPeriod: row.budget_period,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}
