import { describe, expect, test } from 'vitest'
import { runServer } from './testing/run-server.ts'

const eve = { email: 'eve@example.com', password: 'correct horse battery', name: 'Eve' }
const boss = { email: 'boss@example.com', password: 'the boss’s password' }
const stopped = 'The project has no active owner.'

/** Eve owns a project alone, and has a key of it. An admin has suspended her and set her budget to 0. */
async function world() {
  const server = await runServer({ FAIRLEAD_ADMIN_EMAIL: boss.email, FAIRLEAD_ADMIN_PASSWORD: boss.password })
  const { ask, baseUrl } = server
  const admin: string = (await ask('POST', '/auth/login', boss)).data.access_token
  const { access_token: session, user } = (await ask('POST', '/auth/signup', eve)).data
  const projectId: string = (await ask('POST', '/projects', { name: 'Hidden' }, session)).data.id
  const created = await fetch(`${baseUrl}/api-keys`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${session}`,
      'x-fairlead-project': projectId,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'spare', scopes: ['generate', 'keys', 'models'] }),
  })
  const key = ((await created.json()) as { readonly data: { readonly secret: string } }).data.secret
  expect((await ask('POST', '/generate', { model: 'any', prompt: 'x' }, key)).status).toBe(200)
  const path = `/api/v1/users/${user.id}`
  const suspension = await ask('PATCH', path, { status: 'suspended', budget_usd: 0 }, admin)
  return { ask, admin, path, userId: user.id as string, projectId, key, suspension }
}

describe('attacks through a project', () => {
  test('a suspended user neither calls models nor creates keys through a project that they own alone', async () => {
    const { ask, key, suspension, projectId } = await world()
    expect(JSON.parse(suspension.text).meta.warnings).toEqual([
      { field: 'status', issue: `stops the project "Hidden" (${projectId}), which has no other active owner` },
    ])
    const chat = { model: 'any', messages: [{ role: 'user', content: 'x' }] }
    const replies = [
      await ask('POST', '/generate', { model: 'any', prompt: 'x' }, key),
      await ask('POST', '/v1/generate', { model: 'any', prompt: 'x' }, key),
      await ask('POST', '/api-keys', { name: 'another' }, key),
      await ask('POST', '/openai/v1/chat/completions', chat, key),
      await ask('POST', '/anthropic/v1/messages', { ...chat, max_tokens: 9 }, key),
    ]
    const found = replies.map(({ status, text }) => [status, JSON.parse(text).error.message])
    expect(found).toEqual(replies.map(() => [403, stopped]))
    const { text } = await ask('POST', '/graphql', { query: '{ models { id } }' }, key)
    expect(JSON.parse(text).errors).toMatchObject([{ message: stopped, extensions: { code: 'FORBIDDEN' } }])
  })

  test('an admin lists what a suspended user owns, and deletes the user with it', async () => {
    const { ask, admin, path, userId, projectId, key } = await world()
    const { data } = await ask('GET', `/projects?user_id=${userId}&sole_owner=true`, undefined, admin)
    expect(data).toMatchObject([{ id: projectId, role: 'owner' }])
    expect((await ask('DELETE', path, undefined, admin)).status).toBe(409)
    expect((await ask('DELETE', `${path}?remove_projects=true`, undefined, admin)).status).toBe(200)
    expect((await ask('GET', '/models', undefined, key)).status).toBe(401)
  })
})
