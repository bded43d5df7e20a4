import { createIds } from '@fairlead/core/adapter'
import { addTestCaller } from '../fakes/test-core.ts'
import type { TestClock } from '../fakes/test-clock.ts'
import { type AccountStores, hashToken, type InvitationRow, type ProjectRow } from '@fairlead/accounts/stores'
import { describe, expect, test } from 'vitest'

/** Stores a project without members. */
export async function addTestProject(
  stores: AccountStores,
  clock: TestClock,
  facts: Partial<ProjectRow> = {},
): Promise<ProjectRow> {
  const at = clock.now()
  const project: ProjectRow = {
    id: createIds(clock.now)('prj'),
    name: 'Search',
    role: 'member',
    tier: 'pro',
    quotaLimit: null,
    quotaScope: 'project',
    budgetUsd: 2.5,
    budgetPeriod: 'month',
    status: 'active',
    createdBy: null,
    funded: false,
    createdAt: at,
    updatedAt: at,
    version: 1,
    ...facts,
  }
  await stores.transact((tx) => tx.projects.add(project))
  return project
}

/** The part of the store suite for projects, their members and invitations. */
export function projectSuite(stores: () => AccountStores, clock: TestClock): void {
  const newId = createIds(clock.now)
  const transact: AccountStores['transact'] = (work) => stores().transact(work)
  const all = { first: 'newest', limit: 10 } as const

  const addProject = (facts: Partial<ProjectRow> = {}) => addTestProject(stores(), clock, facts)

  const addMember = async (projectId: string, userId: string, role: 'viewer' | 'owner' = 'viewer') =>
    transact((tx) => tx.members.set({ projectId, userId, role, createdAt: clock.now() }))

  async function addInvitation(projectId: string, facts: Partial<InvitationRow> = {}): Promise<InvitationRow> {
    const id = newId('inv')
    const times = { createdAt: clock.now(), expiresAt: clock.now() + 10 }
    const open = { role: 'viewer', email: null, createdBy: null, acceptedAt: null, acceptedBy: null } as const
    const invitation = { id, projectId, tokenHash: `hash of ${id}`, ...open, ...times, ...facts }
    await transact((tx) => tx.invitations.add(invitation))
    return invitation
  }

  describe('projects', () => {
    test('projects are returned as they were added or replaced', async () => {
      const project = await addProject({ createdBy: 'usr_1' })
      const changed = { ...project, name: 'Ads', quotaScope: 'key', budgetUsd: null, version: 2 } as const
      const find = () => transact((tx) => tx.projects.find(project.id))
      expect(await find()).toEqual(project)
      await transact((tx) => tx.projects.replace(changed))
      expect([await find(), await transact((tx) => tx.projects.take(project.id))]).toEqual([changed, changed])
      expect(await transact((tx) => tx.projects.take('prj_1'))).toBeUndefined()
    })

    test('projects are owners beside users, but no users', async () => {
      const project = await addProject()
      const { userId } = await addTestCaller(stores(), clock)
      const ids = [project.id, userId, 'usr_1', project.id]
      const found = await transact(async ({ owners, users, projects }) => ({
        owners: (await owners.findMany(ids)).map(({ id }) => id).toSorted(),
        users: (await users.findMany(ids)).map(({ id }) => id),
        projects: (await projects.findMany(ids)).map(({ id }) => id),
        others: [await users.find(project.id), await users.take(project.id), await projects.find(userId)],
        byEmail: await users.findByEmail(project.id),
        listed: [...(await users.list({}, all)), ...(await projects.list({}, all))].map(({ id }) => id),
        count: await users.count(),
      }))
      expect(found).toEqual({
        owners: [project.id, userId].toSorted(),
        users: [userId],
        projects: [project.id],
        others: [undefined, undefined, undefined],
        byEmail: undefined,
        listed: [userId, project.id],
        count: 1,
      })
      expect(await transact((tx) => tx.owners.take(project.id))).toEqual(
        await transact((tx) => tx.owners.find(project.id)),
      )
    })

    test('projects own keys, with which they are found and removed', async () => {
      const project = await addProject()
      const key = await addTestCaller(stores(), clock)
      const { credentials, keyId } = await addTestCaller(stores(), clock, { key: { userId: project.id } })
      const { userId } = await addTestCaller(stores(), clock)
      await addMember(project.id, userId)
      await addInvitation(project.id)
      const find = () => transact((tx) => tx.keys.findBySecretHash(hashToken(credentials.token)))
      expect(await find()).toMatchObject({ key: { id: keyId }, owner: { id: project.id, role: 'member', tier: 'pro' } })
      await transact((tx) => tx.projects.remove(project.id))
      expect([await find(), await transact((tx) => tx.projects.find(project.id))]).toEqual([undefined, undefined])
      expect(await transact((tx) => tx.members.ofUser(userId))).toEqual([])
      expect(await transact((tx) => tx.invitations.countOpen(project.id, clock.now()))).toBe(0)
      expect(await transact((tx) => tx.keys.find(key.keyId))).toBeDefined()
    })

    test('projects are listed for their members in pages, and counted for their creator', async () => {
      const { userId } = await addTestCaller(stores(), clock)
      const found: ProjectRow[] = []
      for (const createdBy of [userId, 'usr_1', userId]) {
        clock.advance(1)
        found.push(await addProject({ createdBy }))
      }
      await addProject()
      for (const { id } of found) await addMember(id, userId, 'owner')
      const list = (slice: object) =>
        transact(async (tx) => (await tx.projects.listOf(userId, { ...all, ...slice })).map(({ id }) => id))
      const [first, second, third] = found
      expect(await list({})).toEqual([third?.id, second?.id, first?.id])
      expect(await list({ first: 'oldest', limit: 1, after: first })).toEqual([second?.id])
      const [listed] = await transact((tx) => tx.projects.listOf(userId, all))
      expect(listed).toEqual({ ...third, memberRole: 'owner' })
      expect(await transact((tx) => tx.projects.countCreatedBy(userId))).toBe(2)
    })
  })

  describe('members', () => {
    test('members are added once, changed and removed', async () => {
      const { id } = await addProject()
      const { userId } = await addTestCaller(stores(), clock)
      const find = () => transact((tx) => tx.members.find(id, userId))
      const createdAt = clock.now()
      await addMember(id, userId)
      clock.advance(1)
      await addMember(id, userId, 'owner')
      expect(await find()).toEqual({ projectId: id, userId, role: 'owner', createdAt })
      expect(await transact((tx) => tx.members.count(id))).toBe(1)
      await transact((tx) => tx.members.remove(id, userId))
      expect([await find(), await transact((tx) => tx.members.count(id))]).toEqual([undefined, 0])
    })

    test('members are listed with their names', async () => {
      const { id } = await addProject()
      const names = []
      for (const role of ['owner', 'owner', 'viewer'] as const) {
        clock.advance(1)
        const { userId } = await addTestCaller(stores(), clock, { user: { name: role } })
        await addMember(id, userId, role)
        names.push(userId)
      }
      const list = (slice: object) =>
        transact(async (tx) => (await tx.members.list(id, { ...all, ...slice })).map((member) => member.id))
      expect(await list({ first: 'oldest' })).toEqual(names)
      expect(await list({ first: 'oldest', after: { createdAt: clock.now() - 1, id: names[1] } })).toEqual([names[2]])
      const [last] = await transact((tx) => tx.members.list(id, all))
      expect(last).toMatchObject({ userId: names[2], name: 'viewer', email: `${names[2]}@example.com`, role: 'viewer' })
    })

    test('a project has an active owner if the user of one of its owners is active', async () => {
      const [owned, suspended, viewed, empty] = [
        await addProject(),
        await addProject(),
        await addProject(),
        await addProject(),
      ].map(({ id }) => id)
      const { userId } = await addTestCaller(stores(), clock)
      const { userId: other } = await addTestCaller(stores(), clock, { user: { status: 'suspended' } })
      await addMember(owned ?? '', userId, 'owner')
      await addMember(owned ?? '', other, 'owner')
      await addMember(suspended ?? '', other, 'owner')
      await addMember(viewed ?? '', userId, 'viewer')
      const stopped = async (except?: string) =>
        (
          await transact((tx) =>
            tx.members.withoutActiveOwner([owned, suspended, viewed, empty, 'prj_1'].map(String), except),
          )
        ).toSorted()
      expect(await stopped()).toEqual([suspended, viewed, empty, 'prj_1'].toSorted())
      expect(await stopped(other)).toEqual([suspended, viewed, empty, 'prj_1'].toSorted())
      expect(await stopped(userId)).toEqual([owned, suspended, viewed, empty, 'prj_1'].toSorted())
      expect(await transact((tx) => tx.members.withoutActiveOwner([]))).toEqual([])
      const listSoleOwned = (id: string, slice: object = {}) =>
        transact(async (tx) =>
          (await tx.projects.listOf(id, { ...all, first: 'oldest', ...slice }, true)).map((project) => project.id),
        )
      expect([await listSoleOwned(userId), await listSoleOwned(other)]).toEqual([[owned], [suspended]])
      expect(await listSoleOwned(userId, { after: { createdAt: clock.now(), id: String(owned) } })).toEqual([])
    })

    test('members are removed with their user', async () => {
      const { id } = await addProject()
      const { userId } = await addTestCaller(stores(), clock)
      await addMember(id, userId)
      expect(await transact((tx) => tx.members.ofUser(userId))).toMatchObject([{ projectId: id, role: 'viewer' }])
      await transact((tx) => tx.users.remove(userId))
      expect(await transact((tx) => tx.members.count(id))).toBe(0)
    })

    test('members keep one owner when two owners leave concurrently', async () => {
      const { id } = await addProject()
      const owners = [await addTestCaller(stores(), clock), await addTestCaller(stores(), clock)]
      for (const { userId } of owners) await addMember(id, userId, 'owner')
      const leave = ({ userId }: { readonly userId: string }) =>
        transact(async (tx) => {
          await tx.projects.take(id)
          if ((await tx.members.withoutActiveOwner([id], userId)).length > 0) return false
          await tx.members.remove(id, userId)
          return true
        })
      expect((await Promise.all(owners.map(leave))).filter(Boolean)).toHaveLength(1)
    })
  })

  describe('invitations', () => {
    test('invitations are open until they are accepted or expire', async () => {
      const { id: projectId } = await addProject()
      const [one, other, old] = [
        await addInvitation(projectId),
        await addInvitation(projectId, { email: 'ada@example.com' }),
        await addInvitation(projectId, { expiresAt: clock.now() }),
      ]
      const open = () =>
        transact(async (tx) => ({
          ids: (await tx.invitations.listOpen(projectId, clock.now(), all)).map(({ id }) => id).toSorted(),
          count: await tx.invitations.countOpen(projectId, clock.now()),
        }))
      expect(await open()).toEqual({ ids: [one.id, other.id].toSorted(), count: 2 })
      expect(await transact((tx) => tx.invitations.accept(one.id, 'usr_1', clock.now()))).toBe(true)
      expect(await open()).toEqual({ ids: [other.id], count: 1 })
      const find = (hash: string) => transact((tx) => tx.invitations.findByTokenHash(hash))
      expect(await find(other.tokenHash)).toEqual(other)
      expect(await find(one.tokenHash)).toEqual({ ...one, acceptedAt: clock.now(), acceptedBy: 'usr_1' })
      expect([await find(old.tokenHash), await find('another')]).toEqual([old, undefined])
    })

    test('invitations are accepted once, even under concurrency', async () => {
      const { id } = await addInvitation((await addProject()).id)
      const accept = (by: string) => transact((tx) => tx.invitations.accept(id, by, clock.now()))
      expect((await Promise.all(['usr_1', 'usr_2', 'usr_3'].map(accept))).filter(Boolean)).toHaveLength(1)
      expect(await transact((tx) => tx.invitations.accept('inv_1', 'usr_1', 1))).toBe(false)
    })

    test('invitations are removed by their id, by their creator, or once they have expired', async () => {
      const { id: projectId } = await addProject()
      const { id: otherId } = await addProject()
      const [one, ofAda, accepted] = [
        await addInvitation(projectId),
        await addInvitation(projectId, { createdBy: 'usr_1' }),
        await addInvitation(projectId, { createdBy: 'usr_1' }),
      ]
      await transact((tx) => tx.invitations.accept(accepted.id, 'usr_2', clock.now()))
      const remove = (project: string, id: string) => transact((tx) => tx.invitations.remove(project, id))
      expect([await remove(otherId, one.id), await remove(projectId, accepted.id)]).toEqual([false, false])
      expect([await remove(projectId, one.id), await remove(projectId, one.id)]).toEqual([true, false])
      await transact((tx) => tx.invitations.removeCreatedBy(otherId, 'usr_1'))
      expect(await transact((tx) => tx.invitations.findByTokenHash(ofAda.tokenHash))).toBeDefined()
      await transact((tx) => tx.invitations.removeCreatedBy(projectId, 'usr_1'))
      expect(await transact((tx) => tx.invitations.findByTokenHash(ofAda.tokenHash))).toBeUndefined()
      const purge = (before: number) => transact((tx) => tx.invitations.purge(before, 10))
      expect([await purge(accepted.expiresAt), await purge(accepted.expiresAt + 1)]).toEqual([0, 1])
    })
  })
}
