import { makeFirstAdmin } from '@fairlead/accounts'
import type { Provider } from '@fairlead/core/provider'
import { failing, scripted } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from './app.ts'

describe('POST /titles', () => {
  test('POST /titles removes the full stop of a title', async () => {
    const { ask } = await openApp(scripted('first', 'A rainy day.'))
    expect(await ask({ text: 'It rained all day.' })).toMatchObject({ status: 200, data: { title: 'A rainy day' } })
  })

  test('POST /titles asks the next model when the first one fails', async () => {
    const { ask } = await openApp(failing('first', 'rate_limited'), scripted('second', 'Rain'))
    expect(await ask({ text: 'It rained all day.' })).toMatchObject({ data: { title: 'Rain' } })
  })

  test('POST /titles rejects an empty text', async () => {
    const { ask } = await openApp(scripted('first', 'Nothing'))
    expect(await ask({ text: '' })).toMatchObject({ status: 400, error: { code: 'INVALID_REQUEST' } })
  })

  test('POST /titles rejects a request without an API key', async () => {
    const { ask } = await openApp(scripted('first', 'A title'))
    expect(await ask({ text: 'It rained.' }, '')).toMatchObject({ status: 401, error: { code: 'UNAUTHORIZED' } })
  })
})

/** The app with fake models, and a function that sends a request to it, by default with the key of an admin. */
async function openApp(...providers: readonly Provider[]) {
  const app = createApp({ providers, writers: providers.map(({ id }) => `${id}/any`) })
  onTestFinished(() => app.fairlead.core.close())
  const admin = await makeFirstAdmin(app.fairlead.core, app.stores, { email: 'admin@example.com' })

  async function ask(body: object, key = admin?.apiKey): Promise<unknown> {
    const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
    const request = new Request('http://localhost/titles', { method: 'POST', headers, body: JSON.stringify(body) })
    const response = await app.listener.handle(request)
    return { status: response.status, ...(await response.json()) }
  }
  return { ask }
}
