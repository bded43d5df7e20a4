import { describe, expect, test } from 'vitest'
import { testCore } from '@fairlead/testing'
import { testProject, operations } from '@fairlead/testing/workspace'

async function world() {
  const given = await testCore()
  const project = await testProject(given)
  const { core } = given
  const { userIds, personal } = project
  const remove = (input: object) =>
    core.run(operations.deleteUser, personal['service admin'], { id: userIds.owner, ...input })
  return { ...given, ...project, remove }
}

describe('deleting the only active owner of a project', () => {
  test('deleteUser transfers the project to another user, and its keys go on', async () => {
    const { fairlead, core, projectId, userIds, credentials, remove } = await world()
    await fairlead.users.patch({ id: userIds.owner, status: 'suspended' })
    expect(await core.run(operations.models, credentials.key, {})).toMatchObject({ success: false })
    expect(await remove({ transferTo: userIds.stranger })).toMatchObject({ data: { deleted: true } })
    expect(await core.run(operations.models, credentials.key, {})).toMatchObject({ success: true })
    const members = await fairlead.projects.members({ projectId })
    expect(members.find(({ userId }) => userId === userIds.stranger)).toMatchObject({ role: 'owner' })
    expect(members.map(({ userId }) => userId)).not.toContain(userIds.owner)
    const [entry] = await fairlead.audit.list({ projectId, action: 'deleteUser' })
    expect(entry).toMatchObject({ target: { type: 'project_member', id: userIds.stranger }, after: { role: 'owner' } })
  })

  test('deleteUser makes a member the owner', async () => {
    const { fairlead, projectId, userIds, remove } = await world()
    expect(await remove({ transferTo: userIds.viewer })).toMatchObject({ data: { deleted: true } })
    const members = await fairlead.projects.members({ projectId })
    expect(members.find(({ userId }) => userId === userIds.viewer)).toMatchObject({ role: 'owner' })
    expect(members).toHaveLength(3)
  })

  test('deleteUser removes the project with its keys', async () => {
    const { fairlead, core, projectId, credentials, remove } = await world()
    expect(await remove({ removeProjects: true })).toMatchObject({ data: { deleted: true } })
    expect(await core.run(operations.models, credentials.key, {})).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
    await expect(fairlead.projects.get({ id: projectId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await fairlead.audit.list({ projectId, action: 'deleteUser' })).toMatchObject([
      { target: { type: 'project', id: projectId }, before: { name: 'Search' } },
    ])
  })

  test('deleteUser keeps projects with another active owner', async () => {
    const { fairlead, projectId, userIds, remove } = await world()
    await fairlead.projects.setMember({ projectId, userId: userIds.admin, role: 'owner' })
    expect(await remove({ removeProjects: true })).toMatchObject({ data: { deleted: true } })
    expect(await fairlead.projects.get({ id: projectId })).toMatchObject({ name: 'Search' })
  })

  test('deleteUser transfers projects only to another user, who is active', async () => {
    const { fairlead, userIds, remove } = await world()
    await fairlead.users.patch({ id: userIds.viewer, status: 'suspended' })
    for (const transferTo of [userIds.owner, userIds.viewer, 'usr_1']) {
      expect(await remove({ transferTo })).toMatchObject({
        error: { code: 'INVALID_REQUEST', details: { field: 'transferTo' } },
      })
    }
    expect(await remove({ transferTo: userIds.admin, removeProjects: true })).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'transferTo' } },
    })
    expect(await fairlead.users.get({ id: userIds.owner })).toMatchObject({ status: 'active' })
  })

  test('the error names three projects at most if neither was asked for', async () => {
    const { fairlead, userIds, remove } = await world()
    for (let n = 0; n < 4; n++) await fairlead.projects.create({ name: `Project ${n}`, ownerId: userIds.owner })
    expect(await remove({})).toMatchObject({
      error: {
        code: 'CONFLICT',
        message: expect.stringMatching(/of the projects (".*" \(prj_\d+\),? ){3}and 2 more\./),
      },
    })
  })
})
