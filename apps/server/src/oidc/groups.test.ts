import { describe, expect, test } from 'vitest'
import { grantsOf, groupGrants } from './groups.ts'

describe('groupGrants', () => {
  test('reads groups, whose names may have spaces, slashes and equals signs, also several times', () => {
    expect(groupGrants.parse(' /ops team = admin ,ou=staff=pro,/ops team=enterprise')).toEqual([
      { group: '/ops team', grant: 'admin' },
      { group: 'ou=staff', grant: 'pro' },
      { group: '/ops team', grant: 'enterprise' },
    ])
  })

  test.for([
    ['ops', 'contains "ops", which is not a group and what it gives'],
    ['ops=admin,', 'contains "", which is not a group and what it gives'],
    ['ops=root', 'gives "root" to the group "ops", which is not one of admin, member, free, pro, enterprise'],
  ])('rejects %s', ([text = '', message = '']) => {
    expect(groupGrants.safeParse(text).error?.issues[0]?.message).toContain(message)
  })
})

describe('grantsOf', () => {
  const granted = (setting: string, ...groups: readonly string[]) => grantsOf(groupGrants.parse(setting), groups)

  test('leaves roles and tiers that no group has as they are', () => {
    expect(grantsOf([], ['ops'])).toEqual({ role: undefined, tier: undefined })
    expect(granted('ops=admin', 'ops')).toEqual({ role: 'admin', tier: undefined })
    expect(granted('staff=pro', 'staff')).toEqual({ role: undefined, tier: 'pro' })
  })

  test('gives the highest role and tier of the groups, and the lowest to others', () => {
    const setting = 'staff=pro,research=enterprise,ops=admin'
    expect(granted(setting, 'research', 'staff')).toEqual({ role: 'member', tier: 'enterprise' })
    expect(granted(setting, 'ops')).toEqual({ role: 'admin', tier: 'free' })
    expect(granted(setting)).toEqual({ role: 'member', tier: 'free' })
  })

  test('gives nothing to people in no group if one is for members', () => {
    expect(granted('staff=member,ops=admin', 'others')).toBeUndefined()
    expect(granted('staff=member,ops=admin', 'staff')).toEqual({ role: 'member', tier: undefined })
  })
})
