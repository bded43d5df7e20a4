import { operations, testProject } from '@fairlead/testing/workspace'
import { describe, expect, test } from 'vitest'
import { able, serve } from './testing/serve.ts'

const body = { model: 'any', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] }

describe('the header X-Fairlead-Project', () => {
  test('the header X-Fairlead-Project makes a session act for the project, if the role allows it', async () => {
    const service = await serve({ providers: [able().provider] })
    const { credentials, projectId } = await testProject(service)
    const ask = (caller: keyof typeof credentials) => {
      const { token = '' } = credentials[caller] as { readonly token?: string }
      const headers = { 'x-api-key': token, 'x-fairlead-project': projectId }
      return service.ask('/v1/messages', body, headers)
    }
    const statuses = []
    for (const caller of ['developer', 'viewer', 'stranger'] as const) statuses.push((await ask(caller)).status)
    expect(statuses).toEqual([200, 403, 404])
    expect(await service.core.run(operations.requests, credentials.viewer, { status: 'ok' })).toMatchObject({
      data: [{ userId: projectId, operation: 'generate' }],
    })
  })
})
