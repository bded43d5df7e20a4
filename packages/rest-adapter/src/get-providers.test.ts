import { describe, expect, test } from 'vitest'
import { forms } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  test('GET /providers returns the state of providers, to admins only', async () => {
    const { ask, addCaller } = await serve()
    expect(await ask('GET', '/providers')).toMatchObject({ status: 403, json: { error: { code: 'FORBIDDEN' } } })
    const { credentials } = await addCaller({ user: { role: 'admin' } })
    const headers = { authorization: `Bearer ${credentials.token}` }
    await ask('POST', '/generate', { headers, body: { model: 'any', prompt: 'x' } })
    const { status, json } = await ask('GET', '/providers', { headers })
    expect(status).toBe(200)
    expect(json.data[0]).toMatchObject({
      id: 'calm',
      models: 1,
      health: { status: 'unknown' },
      targets: [{ model: 'any', circuit: 'closed', in_flight: 0, latency_ms: { whole: 0 }, failures: 0 }],
    })
  })
})
