import type { Role, Tier } from '@fairlead/core/stores'
import * as z from 'zod'

/** A group of the provider, and what its members get. */
export interface GroupGrant {
  readonly group: string
  readonly grant: Role | Tier
}

const grants = ['admin', 'member', 'free', 'pro', 'enterprise'] as const
const example = 'gateway-admins=admin,engineering=pro'

/** `gateway-admins=admin,engineering=pro`: a group may be listed several times, and its name may contain `=`. */
export const groupGrants = z.string().transform((text, context): readonly GroupGrant[] =>
  text.split(',').flatMap((entry) => {
    const [, group = '', word = ''] = /^\s*(.+?)\s*=\s*(\w+)\s*$/.exec(entry) ?? []
    const grant = grants.find((each) => each === word)
    if (grant) return { group, grant }
    context.addIssue(
      group === ''
        ? `contains "${entry.trim()}", which is not a group and what it gives; write a list such as ${example}`
        : `gives "${word}" to the group "${group}", which is not one of ${grants.join(', ')}; write a list such as ${example}`,
    )
    return []
  }),
)

/** The role and tier of a person; undefined for what no group of the settings gives. */
export interface Grants {
  readonly role: Role | undefined
  readonly tier: Tier | undefined
}

const tiers: readonly Tier[] = ['free', 'pro', 'enterprise']

/**
 * What the groups of a person give. Roles and tiers that the settings do not mention stay as they are; a person whose groups
 * give none of those that they mention is a member, or has the free tier. Returns undefined if the settings say who is a
 * member, and the person is in none of the groups.
 */
export function grantsOf(all: readonly GroupGrant[], groups: readonly string[]): Grants | undefined {
  const has = (grant: GroupGrant['grant']) => all.some((each) => each.grant === grant && groups.includes(each.group))
  const mentions = (...some: readonly string[]) => all.some(({ grant }) => some.includes(grant))
  if (mentions('member') && !all.some(({ group }) => groups.includes(group))) return undefined
  return {
    role: mentions('admin') ? (has('admin') ? 'admin' : 'member') : undefined,
    tier: mentions(...tiers) ? (tiers.findLast(has) ?? 'free') : undefined,
  }
}
