import { operations, projectCallers, refusalInProject, testProject } from '@fairlead/testing/workspace'
import { describe, expect, test } from 'vitest'
import { listRoutes } from './routes.ts'
import { forms, serve as serveNode } from './testing/serve.ts'

const project = 'x-fairlead-project'

describe('an operation with the header X-Fairlead-Project', () => {
  const routes = listRoutes(Object.values(operations)).map((route) => [`${route.method} ${route.path}`, route] as const)

  test.each(routes)('%s is allowed for those whom its role includes', async (_name, { method, path, operation }) => {
    const service = await serveNode()
    const { credentials, projectId } = await testProject(service)
    const hasBody = method !== 'GET' && method !== 'DELETE'
    const at = path.replaceAll(/\{\w+\}/g, 'any') + (hasBody ? '' : '?not_a_field=1')
    const codes: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const caller of projectCallers) {
      const { token = '' } = credentials[caller] as { readonly token?: string }
      const headers = { authorization: `Bearer ${token}`, [project]: projectId }
      const { json } = await service.ask(method, at, { headers, ...(hasBody && { body: { not_a_field: true } }) })
      codes[caller] = json.error.code
      // The field is unknown to all of them, which shows that the input was read.
      expected[caller] = refusalInProject(operation, caller) ?? 'INVALID_REQUEST'
    }
    expect(codes).toEqual(expected)
  })

  test('every route rejects the keys and the members of a project without an active owner', async () => {
    const service = await serveNode()
    const { credentials, projectId, userIds } = await testProject(service)
    await service.fairlead.users.patch({ id: userIds.owner, status: 'suspended' })
    const accepted: string[] = []
    for (const [name, { method, path, operation }] of routes) {
      if ('anonymous' in operation.access) continue
      for (const caller of ['key', 'viewer', 'developer', 'admin', 'service admin'] as const) {
        const { token = '' } = credentials[caller] as { readonly token?: string }
        const headers = { authorization: `Bearer ${token}`, [project]: projectId }
        const { status, json } = await service.ask(method, path.replaceAll(/\{\w+\}/g, 'any'), { headers })
        const isRejected = status === 403 && json.error.message === 'The project has no active owner.'
        if (!isRejected) accepted.push(`${caller}: ${name}`)
      }
    }
    expect(accepted).toEqual([])
  })
})

describe.each(forms)('%s', (_form, serve) => {
  test('the REST adapter names the header X-Fairlead-Project in the error for a malformed id', async () => {
    const { ask } = await serve()
    for (const id of ['', 'Search', 'prj_1, prj_2']) {
      const { status, json } = await ask('GET', '/models', { headers: { [project]: id } })
      expect([status, json.error.details.field]).toEqual([400, 'X-Fairlead-Project'])
    }
  })

  test('the REST adapter serves the audit log of a project as a file', async () => {
    const service = await serve()
    const { credentials, projectId } = await testProject(service)
    const { token = '' } = credentials.admin as { readonly token?: string }
    const headers = { authorization: `Bearer ${token}`, [project]: projectId }
    const { status, text } = await service.ask('GET', '/audit/export?format=ndjson', { headers })
    const lines = text.trim().split('\n')
    expect(status).toBe(200)
    expect(new Set(lines.map((line) => JSON.parse(line).project_id))).toEqual(new Set([projectId]))
    const viewer = credentials.viewer as { readonly token?: string }
    const asViewer = { ...headers, authorization: `Bearer ${viewer.token}` }
    expect((await service.ask('GET', '/audit/export', { headers: asViewer })).status).toBe(403)
  })
})
