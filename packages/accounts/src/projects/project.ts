import * as z from 'zod'
import type { ProjectRole } from '@fairlead/core/stores'
import { FairleadError } from '@fairlead/core'
import { instant, namedEnum, namedObject, toInstant } from '@fairlead/core/feature'
import { budgetFields, noBudget } from '../budget-fields.ts'
import type { Owner } from '../owner.ts'
import { type UserRow, userFields, userRecord } from '../users/user.ts'

/** Whether each API key of a project has a separate monthly quota, or all keys and members share one. */
export type ProjectQuotaScope = 'key' | 'project'

/** An owner of API keys, webhooks and records that several users share. */
export interface ProjectRow extends Owner {
  readonly role: 'member'
  readonly quotaScope: ProjectQuotaScope
  /** The id of the user who created it; null if a program did, for nobody. */
  readonly createdBy: string | null
  /** Whether only its own budget pays for it. Otherwise, its requests count toward its creator's budget, too. */
  readonly funded: boolean
}

export const projectId = z.string().max(64).describe('Project id: `prj_` and digits.')

export const projectRole = namedEnum<ProjectRole>('ProjectRole', 'Role of a member of a project.', {
  viewer: 'Reads what belongs to the project.',
  developer: 'Also calls models, and changes API keys, webhooks and records.',
  admin: 'Also changes the name, the members and the invitations.',
  owner: 'Also deletes the project, and gives and takes the role `owner`.',
})

/** The writable fields. */
export const projectFields = {
  name: userFields.name,
  tier: userFields.tier.describe('The tier, which sets the quota of the project’s keys.'),
  quotaLimit: userFields.quotaLimit,
  quotaScope: namedEnum<ProjectQuotaScope>(
    'ProjectQuotaScope',
    'The credentials that share a monthly quota of a project.',
    {
      key: 'Each API key has a quota, and all members together.',
      project: 'All API keys and members share one quota.',
    },
  ).describe('Whether each API key of the project has a monthly quota, or all keys and members share one.'),
  ...budgetFields,
  funded: z
    .boolean()
    .describe(
      'Whether only its own budget applies. Otherwise, its requests count toward the budget of its creator, too.',
    ),
  status: userFields.status.describe('Every request for a suspended project is rejected.'),
}

export const projectRecord = namedObject('Project', 'A project, which owns API keys, webhooks and records.', {
  id: z.string().describe('Project id: `prj_` and digits.'),
  name: userRecord.shape.name,
  personal: z.boolean().describe('Whether it is the caller’s own account, which cannot be shared.'),
  role: projectRole.describe(
    'Role of the caller, or of the user whose projects are listed. Admins of the service are owners of every project.',
  ),
  tier: projectFields.tier,
  quotaLimit: userRecord.shape.quotaLimit,
  quotaScope: projectFields.quotaScope,
  ...budgetFields,
  funded: projectFields.funded,
  status: projectFields.status,
  createdBy: z.string().nullable().describe('Id of the user who created it. Null if it was created for nobody.'),
  createdAt: instant.describe('When the project was created.'),
  updatedAt: instant.describe('When the project was last changed.'),
})

export type ProjectRecord = z.output<typeof projectRecord> & Pick<ProjectRow, 'version'>

/** A new project, by default active and with a quota for each key. */
export function newProject(
  facts: Pick<ProjectRow, 'id' | 'name' | 'tier' | 'createdBy'> & Partial<ProjectRow>,
  at: number,
): ProjectRow {
  return {
    role: 'member',
    quotaLimit: null,
    quotaScope: 'key',
    ...noBudget,
    funded: false,
    status: 'active',
    ...facts,
    createdAt: at,
    updatedAt: at,
    version: 1,
  }
}

/** The tier and the quota of a user, for the user's personal project. */
export function toProjectLimits({ tier, quotaLimit, quotaScope }: UserRow) {
  return { tier, quotaLimit, quotaScope: quotaScope === 'key' ? 'key' : 'project' } as const
}

/** The record of a project, with the version that only `ETag` shows. */
export function toProjectRecord(project: ProjectRow, role: ProjectRole): ProjectRecord {
  return {
    ...project,
    personal: false,
    role,
    createdAt: toInstant(project.createdAt),
    updatedAt: toInstant(project.updatedAt),
  }
}

/** The fields of a project in the audit log: without the role, which depends on the caller. */
export function toAuditedProject({ role: _role, ...project }: ProjectRow): object {
  return project
}

/** The id of the personal project of a user: it has the digits of the user's id. */
export function personalProjectId(userId: string): string {
  return userId.replace(/^usr_/, 'prj_')
}

/** The personal project of a user. It is not stored: its records belong to the user. */
export function personalProject(user: UserRow): ProjectRecord {
  const { id, status, version, budgetUsd, budgetPeriod } = user
  return {
    id: personalProjectId(id),
    name: 'Personal',
    personal: true,
    role: 'owner',
    ...toProjectLimits(user),
    budgetUsd,
    budgetPeriod,
    funded: true,
    status,
    createdBy: id,
    createdAt: toInstant(user.createdAt),
    updatedAt: toInstant(user.updatedAt),
    version,
  }
}

export function projectNotFound(): FairleadError {
  return new FairleadError('NOT_FOUND', 'Project not found.')
}
