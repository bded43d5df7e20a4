import { testCore } from '@fairlead/testing'
import { readFile } from 'node:fs/promises'
import { versionInfo } from 'graphql'
import { describe, expect, test } from 'vitest'
import { graphqlAdapter } from './graphql-adapter.ts'

async function asked(query: string, headers: Readonly<Record<string, string>> = {}) {
  const { core, caller } = await testCore()
  const request = new Request('http://any.example/some/path', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${caller.token}`, ...headers },
    body: JSON.stringify({ query }),
  })
  return graphqlAdapter(core)(request, { address: '192.0.2.1' })
}

test('the package has graphql as a peer, and allows the version that the tests run with', async () => {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  const { dependencies, peerDependencies } = JSON.parse(manifest) as Readonly<Record<string, Record<string, string>>>
  expect(dependencies).not.toHaveProperty('graphql')
  const { major, minor } = versionInfo
  const allowed = peerDependencies?.['graphql']?.split(' || ')
  expect(allowed).toContain(major === 16 ? `^16.${minor}.0` : `^${major}.0.0`)
})

describe('the adapter', () => {
  test('the adapter responds to a Request with a Response, at any path', async () => {
    const response = await asked('{ models { id } }')
    expect(await response.json()).toMatchObject({ data: { models: [{ id: 'any' }] } })
    expect(response.headers.get('x-ratelimit-remaining')).toBe('999')
    expect(response.headers.get('x-request-id')).toMatch(/^req_\d+$/)
  })

  test('the adapter streams a subscription as server-sent events', async () => {
    const response = await asked(
      'subscription { generateStream(input: {model: "any", prompt: "a"}) { ... on GenerationChunk { content } } }',
      { accept: 'text/event-stream' },
    )
    expect(await response.text()).toContain('data: {"data":{"generateStream":{"content":"hello"}}}')
  })

  test.each([
    [400, `${'['.repeat(65)}`],
    [413, `[${'1,'.repeat(50_000)}`],
    [413, `"${'a'.repeat(1024 * 1024)}"`],
  ])('the adapter rejects a body that is slow to parse with %i', async (status, body) => {
    const { core } = await testCore()
    const headers = { 'content-type': 'application/json' }
    const response = await graphqlAdapter(core)(new Request('http://any.example/', { method: 'POST', headers, body }))
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { requestId: expect.any(String) } }] })
  })

  test.each<[string, BodyInit, Record<string, string>]>([
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}],
    ['an Idempotency-Key header', '{"query":"{ __typename }"}', { 'idempotency-key': 'k1' }],
  ])('the adapter rejects %s', async (_name, body, headers) => {
    const { core } = await testCore()
    const type = { 'content-type': 'application/json' }
    const request = new Request('http://any.example/', { method: 'POST', headers: { ...type, ...headers }, body })
    expect((await graphqlAdapter(core)(request)).status).toBe(400)
  })

  test('the adapter rejects each field of a request without credentials', async () => {
    const response = await asked('{ models { id } }', { authorization: 'Basic x' })
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHORIZED' } }] })
  })
})
