import { describe, expect, test } from 'vitest'
import { combineGrants, groupGrants } from './groups.ts'

const search = 'prj_2144006262569533826222110534494264869'
const ads = 'prj_2144006262568942337108473209784351112'

describe('groupGrants', () => {
  test('groupGrants reads groups, whose names may have spaces, slashes and equals signs, also several times', () => {
    expect(groupGrants.parse(' /ops team = admin ,ou=staff=pro,/ops team=enterprise')).toEqual([
      { group: '/ops team', grant: 'admin' },
      { group: 'ou=staff', grant: 'pro' },
      { group: '/ops team', grant: 'enterprise' },
    ])
  })

  test.for([
    ['ops', 'contains "ops", which is not a group and what it gives'],
    ['ops=admin,', 'contains "", which is not a group and what it gives'],
    ['ops=root', 'gives "root" to the group "ops", which is not one of admin, member, free, pro, enterprise, or'],
    ['ops=prj_1:developer', 'gives "prj_1:developer" to the group "ops"'],
    [`ops=${search}:boss`, `gives "${search}:boss" to the group "ops"`],
  ])('groupGrants rejects %s', ([text = '', message = '']) => {
    expect(groupGrants.safeParse(text).error?.issues[0]?.message).toContain(message)
  })
})

describe('combineGrants', () => {
  const granted = (setting: string, ...groups: readonly string[]) => combineGrants(groupGrants.parse(setting), groups)

  test('combineGrants leaves roles and tiers that no group has as they are', () => {
    expect(combineGrants([], ['ops'])).toEqual({ role: undefined, tier: undefined, projects: [] })
    expect(granted('ops=admin', 'ops')).toEqual({ role: 'admin', tier: undefined, projects: [] })
    expect(granted('staff=pro', 'staff')).toEqual({ role: undefined, tier: 'pro', projects: [] })
  })

  test('combineGrants gives the highest role and tier of the groups, and the lowest to others', () => {
    const setting = 'staff=pro,research=enterprise,ops=admin'
    expect(granted(setting, 'research', 'staff')).toEqual({ role: 'member', tier: 'enterprise', projects: [] })
    expect(granted(setting, 'ops')).toEqual({ role: 'admin', tier: 'free', projects: [] })
    expect(granted(setting)).toEqual({ role: 'member', tier: 'free', projects: [] })
  })

  test('combineGrants gives nothing to people in no group if one is for members', () => {
    expect(granted('staff=member,ops=admin', 'others')).toBeUndefined()
    expect(granted('staff=member,ops=admin', 'staff')).toEqual({ role: 'member', tier: undefined, projects: [] })
  })

  test('combineGrants gives the highest role in each project, and none to people in none of its groups', () => {
    const setting = `staff=${search}:viewer,leads=${search}:owner,ops=${ads}:admin`
    const projects = (...groups: readonly string[]) => granted(setting, ...groups)?.projects
    expect(projects('leads', 'staff')).toEqual([
      { projectId: search, role: 'owner' },
      { projectId: ads, role: null },
    ])
    expect(projects('staff', 'ops')).toEqual([
      { projectId: search, role: 'viewer' },
      { projectId: ads, role: 'admin' },
    ])
    expect(granted(setting, 'others')).toMatchObject({ role: undefined, projects: [{ role: null }, { role: null }] })
  })
})
