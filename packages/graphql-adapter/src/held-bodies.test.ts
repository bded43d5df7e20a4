import { textAnswer } from '@fairlead/core/provider'
import { createBodyRoom } from '@fairlead/http'
import { scripted, testCore } from '@fairlead/testing'
import { expect, test, vi } from 'vitest'
import { graphqlAdapter } from './graphql-adapter.ts'
import { serve } from './testing/serve.ts'

const body = JSON.stringify({
  query: 'mutation ($input: GenerateInput!) { generate(input: $input) { generation { content } } }',
  variables: { input: { model: 'any', prompt: 'x'.repeat(150_000) } },
})
const headers = { 'content-type': 'application/json' }
const refused = [503, '1', 'SERVICE_UNAVAILABLE']

/** An account may hold 200 kB. */
function smallService() {
  const bodyRoom = createBodyRoom({ maxBytes: 1_000_000, maxBodyBytes: 200_000 })
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const generateText = vi.fn<() => Promise<ReturnType<typeof textAnswer>>>(async () => {
    await answered
    return textAnswer('hello')
  })
  return { bodyRoom, answer, generateText, providers: [{ ...scripted('slow', ''), generateText }] }
}

test('a body over GraphQL has no room while its account holds others', async () => {
  const { bodyRoom, providers, answer, generateText } = smallService()
  const { send } = await serve({ bodyRoom, providers })
  const post = (accept: string) => send({ method: 'POST', headers: { ...headers, accept }, body })
  const first = post('application/json')
  await vi.waitUntil(() => generateText.mock.calls.length > 0)
  const second = await post('application/json')
  expect([second.status, second.headers.get('retry-after'), second.json.errors[0].extensions.code]).toEqual(refused)
  answer()
  expect((await first).status).toBe(200)
  await vi.waitUntil(() => bodyRoom.heldBytes === 0)
  expect((await post('application/json;q=1')).status).toBe(200)
})

test('a body over GraphQL has no room in the fetch form either', async () => {
  const { bodyRoom, providers, answer, generateText } = smallService()
  const { core, caller } = await testCore({ providers })
  const adapter = graphqlAdapter(core, { bodyRoom })
  const authorization = `Bearer ${caller.token}`
  const post = () =>
    adapter(new Request('http://a/graphql', { method: 'POST', headers: { ...headers, authorization }, body }))
  const first = post()
  await vi.waitUntil(() => generateText.mock.calls.length > 0)
  const second = await post()
  const { errors } = (await second.json()) as { readonly errors: readonly { readonly extensions: { code: string } }[] }
  expect([second.status, second.headers.get('retry-after'), errors[0]?.extensions.code]).toEqual(refused)
  answer()
  expect((await first).status).toBe(200)
  expect(bodyRoom.heldBytes).toBe(0)
})
