import type { ProjectRole, Role, Tier } from '@fairlead/core/stores'
import * as z from 'zod'

/** A group of the provider, and what its members get. */
export interface GroupGrant {
  readonly group: string
  readonly grant: Role | Tier | ProjectGrant
}

/** A role in a project. */
interface ProjectGrant {
  readonly projectId: string
  readonly role: ProjectRole
}

const grants = ['admin', 'member', 'free', 'pro', 'enterprise'] as const
const example = 'gateway-admins=admin,engineering=pro'
/** From the least to the most. */
const projectRoles = ['viewer', 'developer', 'admin', 'owner'] as const satisfies readonly ProjectRole[]

/** `gateway-admins=admin,search=prj_…:developer`: a group may be listed several times, and its name may contain `=`. */
export const groupGrants = z.string().transform((text, context): readonly GroupGrant[] =>
  text.split(',').flatMap((entry) => {
    const [, group = '', word = ''] = /^\s*(.+?)\s*=\s*(\w+(?::\w+)?)\s*$/.exec(entry) ?? []
    const grant = grants.find((each) => each === word) ?? projectGrant(word)
    if (grant) return { group, grant }
    context.addIssue(
      group === ''
        ? `contains "${entry.trim()}", which is not a group and what it gives; write a list such as ${example}`
        : `gives "${word}" to the group "${group}", which is not one of ${grants.join(', ')}, or a role in a project such as prj_2144…:developer; write a list such as ${example}`,
    )
    return []
  }),
)

function projectGrant(word: string): ProjectGrant | undefined {
  const [, projectId, name] = /^(prj_\d{37}):(\w+)$/.exec(word) ?? []
  const role = projectRoles.find((each) => each === name)
  return projectId !== undefined && role ? { projectId, role } : undefined
}

/** The role and tier of a person; undefined for what no group of the settings gives. */
export interface Grants {
  readonly role: Role | undefined
  readonly tier: Tier | undefined
  /** For each project of the settings; null for one in which no group of the person gives a role. */
  readonly projects: readonly { readonly projectId: string; readonly role: ProjectRole | null }[]
}

const tiers: readonly Tier[] = ['free', 'pro', 'enterprise']

/**
 * The rights that the groups of a person grant. Roles and tiers that the settings do not mention stay as they are; a
 * person whose groups give none of those that they mention is a member, or has the free tier. Returns undefined if the
 * settings say who is a member, and the person is in none of the groups. A person whose groups give no role in a
 * project of the settings is none of its members.
 */
export function combineGrants(all: readonly GroupGrant[], groups: readonly string[]): Grants | undefined {
  const has = (grant: GroupGrant['grant']) => all.some((each) => each.grant === grant && groups.includes(each.group))
  const mentions = (...some: readonly GroupGrant['grant'][]) => all.some(({ grant }) => some.includes(grant))
  if (mentions('member') && !all.some(({ group }) => groups.includes(group))) return undefined
  return {
    role: mentions('admin') ? (has('admin') ? 'admin' : 'member') : undefined,
    tier: mentions(...tiers) ? (tiers.findLast(has) ?? 'free') : undefined,
    projects: combineProjects(all, groups),
  }
}

/** The highest role of each project. */
function combineProjects(all: readonly GroupGrant[], groups: readonly string[]): Grants['projects'] {
  const found = new Map<string, ProjectRole | null>()
  for (const { group, grant } of all) {
    if (typeof grant === 'string') continue
    const known = found.get(grant.projectId) ?? null
    const given = groups.includes(group) ? [known, grant.role] : [known]
    found.set(grant.projectId, projectRoles.findLast((role) => given.includes(role)) ?? null)
  }
  return [...found].map(([projectId, role]) => ({ projectId, role }))
}
