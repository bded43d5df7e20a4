import { testClock, testCore } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { openaiAdapter } from './openai-adapter.ts'

async function serve() {
  const { core, caller, clock } = await testCore()
  const adapter = openaiAdapter(core, { clock })
  clock.advance(60_000)
  return async (path: string, headers: Record<string, string> = { authorization: `Bearer ${caller.token}` }) => {
    const response = await adapter.handle(new Request(`http://localhost${path}`, { headers }))
    return { status: response.status, headers: response.headers, json: await response.json() }
  }
}

describe('the models of the OpenAI surface', () => {
  test('the models of the OpenAI surface are a list in the form of OpenAI, with the time at which the adapter was created', async () => {
    const created = Math.floor(testClock().now() / 1000)
    const get = await serve()
    expect(await get('/models')).toMatchObject({
      status: 200,
      json: { object: 'list', data: [{ id: 'any', object: 'model', created, owned_by: 'calm' }] },
    })
    expect((await get('/models/any')).json).toMatchObject({ id: 'any', created })
  })

  test('the models of the OpenAI surface can be read one by one, by ids with slashes too', async () => {
    const get = await serve()
    expect((await get('/models/calm/any')).json).toMatchObject({ object: 'model', owned_by: 'calm' })
    expect((await get('/models/calm%2Fany')).json).toMatchObject({ object: 'model', owned_by: 'calm' })
  })

  test('the models of the OpenAI surface are refused without a key, in the form of OpenAI', async () => {
    const get = await serve()
    const { status, json, headers } = await get('/models', {})
    expect([status, json.error.code, json.error.type]).toEqual([401, 'invalid_api_key', 'invalid_request_error'])
    expect(headers.get('x-request-id')).toMatch(/^req_\d+$/)
  })

  test('the models of the OpenAI surface are a 404 for an unknown id', async () => {
    const get = await serve()
    expect(await get('/models/none')).toMatchObject({ status: 404, json: { error: { type: 'invalid_request_error' } } })
  })
})
