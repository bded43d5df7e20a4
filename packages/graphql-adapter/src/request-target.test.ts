import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

// Without yoga, and through it.
test.each(['application/json', 'application/json;q=1'])(
  'the adapter responds to a target with a scheme and a host (RFC 9112, 3.2.2): %s',
  async (accept) => {
    const { url, caller } = await serve()
    const { port } = new URL(url)
    const headers = { accept, 'content-type': 'application/json', authorization: `Bearer ${caller.token}` }
    const sent = request({ port, path: `${url}?trace=1`, method: 'POST', headers })
    sent.end(JSON.stringify({ query: '{ __typename }' }))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(await json(response)).toMatchObject({ data: { __typename: 'Query' } })
  },
)
