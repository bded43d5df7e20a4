import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { testCore } from '@fairlead/testing'
import { expect, onTestFinished, test } from 'vitest'
import { graphqlListener } from './graphql-adapter.ts'

/** Sends a request through a body parser that works as `express.json()` does. */
async function ask(accept: string, query: string): Promise<string> {
  const { core, caller } = await testCore()
  const listener = graphqlListener(core)
  const server = createServer(async (request, response) => {
    listener(Object.assign(request, { body: await json(request) }), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, authorization: `Bearer ${caller.token}` },
    body: JSON.stringify({ query }),
  })
  return response.text()
}

test.each([
  ['application/json', '{ models { id } }', '{"data":{"models":[{"id":"any"}]}'],
  [
    'text/event-stream',
    'subscription { generateStream(input: { model: "any", prompt: "a" }) { ... on GenerationChunk { content } } }',
    'data: {"data":{"generateStream":{"content":"hello"}}}',
  ],
])('the adapter reads a body that another middleware has parsed: %s', async (accept, query, said) => {
  expect(await ask(accept, query)).toContain(said)
})
