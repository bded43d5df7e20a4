import { describe, expect, test, vi } from 'vitest'
import { authorizedFetch } from './authorized-fetch.ts'

const request = () => new Request('https://example.com/generate', { method: 'POST', body: 'hello' })

/** A service that accepts only one token, and answers with what it received. */
function service(accepted: string) {
  return vi.fn<(sent: Request) => Promise<Response>>(async (sent) => {
    const isAccepted = sent.headers.get('authorization') === `Bearer ${accepted}`
    return new Response(await sent.text(), { status: isAccepted ? 200 : 401 })
  })
}

describe('authorizedFetch', () => {
  test('authorizedFetch sends the access token', async () => {
    const send = service('fresh')
    const fetch = authorizedFetch({ token: async () => 'fresh', renew: async () => undefined }, send)
    expect((await fetch(request())).status).toBe(200)
    expect(send).toHaveBeenCalledOnce()
  })

  test('authorizedFetch repeats a rejected request with a new token and the same body', async () => {
    const send = service('fresh')
    const renew = vi.fn<(rejected: string | undefined) => Promise<string>>(async () => 'fresh')
    const fetch = authorizedFetch({ token: async () => 'stale', renew }, send)
    const response = await fetch(request())
    expect([response.status, await response.text()]).toEqual([200, 'hello'])
    expect(renew).toHaveBeenCalledExactlyOnceWith('stale')
  })

  test('authorizedFetch returns the rejection if the session has ended', async () => {
    const send = service('fresh')
    const fetch = authorizedFetch({ token: async () => 'stale', renew: async () => undefined }, send)
    expect((await fetch(request())).status).toBe(401)
    expect(send).toHaveBeenCalledOnce()
  })

  test('authorizedFetch does not repeat a request more than once', async () => {
    const send = service('never')
    const fetch = authorizedFetch({ token: async () => 'stale', renew: async () => 'fresh' }, send)
    expect((await fetch(request())).status).toBe(401)
    expect(send).toHaveBeenCalledTimes(2)
  })

  test('authorizedFetch asks for a new token after a 403, because the user may be suspended, and returns the response', async () => {
    const renew = vi.fn<() => Promise<undefined>>(async () => undefined)
    const send = vi.fn<() => Promise<Response>>(async () => new Response(null, { status: 403 }))
    const fetch = authorizedFetch({ token: async () => 'fresh', renew }, send)
    expect((await fetch(request())).status).toBe(403)
    expect(renew).toHaveBeenCalledExactlyOnceWith('fresh')
    expect(send).toHaveBeenCalledOnce()
  })
})
