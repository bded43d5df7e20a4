import { operations } from '@fairlead/testing/workspace'
import { describe, expect, test } from 'vitest'
import { forms } from './testing/serve.ts'

describe.each(forms)('%s: GET /audit/export', (_form, serve) => {
  /** With an admin, and two keys of which one has a name that a spreadsheet would run. */
  async function setup() {
    const service = await serve()
    const admin = await service.addCaller({ user: { role: 'admin', tier: 'enterprise' } })
    const headers = { authorization: `Bearer ${admin.credentials.token}` }
    const create = (name: string) => service.ask('POST', '/api-keys', { headers, body: { name, scopes: ['models'] } })
    const { json } = await create('=1+1')
    return {
      ...service,
      admin,
      create,
      keyId: json.data.id as string,
      get: (query: string, method = 'GET') => service.ask(method, `/audit/export${query}`, { headers }),
    }
  }

  test('GET /audit/export has all pages, the newest entries first', async () => {
    const { get, fairlead, clock } = await setup()
    for (let at = 0; at < 250; at++) {
      clock.advance(1)
      await fairlead.webhooks
        .create({ url: 'https://example.com/', events: ['*'] })
        .then(({ id }) => fairlead.webhooks.delete({ id }))
    }
    const { text } = await get('?format=ndjson&action=createWebhook')
    const entries = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(entries).toHaveLength(250)
    expect(entries.map(({ created_at: at }) => at)).toEqual(
      entries
        .map(({ created_at: at }) => at)
        .toSorted()
        .toReversed(),
    )
    expect(entries[0]).toMatchObject({ action: 'createWebhook', actor: 'operator', target: { type: 'webhook' } })
  })

  test('GET /audit/export is CSV by default, with one line for each entry', async () => {
    const { get, admin, keyId } = await setup()
    const { status, headers, text } = await get('')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="fairlead-audit.csv"')
    const [head, line, end] = text.split('\r\n')
    expect(head).toBe(
      'id,created_at,action,outcome,actor,credential,target_type,target_id,before,after,address,request_id,project_id',
    )
    expect(line).toMatch(
      new RegExp(
        `^aud_\\d+,[^,]+,createApiKey,ok,${admin.userId},${admin.keyId},api_key,${keyId},,"\\{.*""id"".*\\}",127`,
      ),
    )
    expect(end).toBe('')
  })

  test('GET /audit/export has no cell that a spreadsheet runs', async () => {
    const { get, core } = await setup()
    for (const address of ['=1+1', '+1', '-1', '@a', '\t=1', '"=1"']) {
      const input = { email: 'a@example.com', password: 'a wrong password' }
      await core.run(operations.login, { kind: 'none' }, input, { address })
    }
    const { text } = await get('?action=login')
    const cells = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',').at(-3))
    expect(cells.toSorted()).toEqual(['"""=1"""', "'\t=1", "'+1", "'-1", "'=1+1", "'@a"])
  })

  test('GET /audit/export answers HEAD without a body', async () => {
    const { get } = await setup()
    const { status, text, headers } = await get('?format=ndjson', 'HEAD')
    expect([status, text, headers.get('content-type')]).toEqual([200, '', 'application/x-ndjson; charset=utf-8'])
  })

  test.each([
    ['format=xml', 'format'],
    ['limit=5', 'limit'],
    ['actr=usr_1', 'actr'],
    ['created_after=yesterday', 'created_after'],
  ])('GET /audit/export rejects ?%s', async (query, field) => {
    const { get } = await setup()
    const { status, json } = await get(`?${query}`)
    expect([status, json.error.details.field]).toEqual([400, field])
  })

  test('GET /audit/export needs an admin', async () => {
    const { ask } = await setup()
    expect((await ask('GET', '/audit/export')).status).toBe(403)
    expect((await ask('GET', '/audit/export', { headers: { authorization: undefined } })).status).toBe(401)
  })
})
