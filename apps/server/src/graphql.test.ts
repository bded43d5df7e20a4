import { Client, fetchExchange, gql, type OperationResult } from '@urql/core'
import { serverAudits } from 'graphql-http'
import { describe, expect, test } from 'vitest'
import type { Config } from './config.ts'
import { serveApp } from './testing/serve-app.ts'

const open = { introspection: true, graphiql: true, documents: undefined, onlyDocuments: false }
const production: Config['graphql'] = { ...open, introspection: false, graphiql: false }

/** Runs the public audits of GraphQL over HTTP as a client with a key; those that are not met, by their ids. */
async function notMet(graphql: Config['graphql']): Promise<{ readonly ran: number; readonly ids: readonly string[] }> {
  const { url, caller } = await serveApp({ config: { graphql } })
  const fetchFn: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as object), authorization: `Bearer ${caller.token}` } })
  const audits = serverAudits({ url: `${url}/graphql`, fetchFn })
  const ids: string[] = []
  for (const audit of audits) {
    const result = await audit.fn()
    if (result.status === 'ok') continue
    ids.push(audit.id)
    await result.response.body?.cancel()
  }
  return { ran: audits.length, ids }
}

describe('GraphQL over HTTP', () => {
  test('GraphQL over HTTP passes every public audit', async () => {
    expect(await notMet(open)).toEqual({ ran: 61, ids: [] })
  }, 30_000)

  test('GraphQL over HTTP passes all audits in production but the four that use introspection', async () => {
    expect(await notMet(production)).toEqual({ ran: 61, ids: ['2EA1', '28B9', 'D6D5', '6A70'] })
  }, 30_000)

  test('GraphQL over HTTP allows no other origin', async () => {
    const { url } = await serveApp({ config: { corsOrigins: ['https://app.example.com'] } })
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const response = await fetch(`${url}/graphql?query={__typename}`, {
        method,
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      })
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
      await response.body?.cancel()
    }
  })

  // The first is answered without yoga, the other through it.
  test.each(['*/*', 'application/json;q=0.9'])(
    'GraphQL over HTTP sends Vary for everything that the response depends on: %s',
    async (accept) => {
      const { url } = await serveApp({ config: { corsOrigins: ['https://app.example.com'] } })
      const headers = { accept, origin: 'https://app.example.com', 'content-type': 'application/json' }
      const response = await fetch(`${url}/graphql`, { method: 'POST', body: '{"query": "{ __typename }"}', headers })
      expect(response.headers.get('vary')).toBe('Origin, Authorization, Accept')
      await response.body?.cancel()
    },
  )

  test('GraphQL over HTTP is logged with its path and error code, without the query', async () => {
    const { ask, lines } = await serveApp()
    const body = JSON.stringify({
      query: 'mutation { generate(input: {model: "nope", prompt: "my secret"}) { generation { id } } }',
    })
    const reply = await ask('/graphql', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    await reply.text()
    await expect.poll(() => lines.join('\n')).toMatch(/"route":"\/graphql".*"code":"INVALID_REQUEST"/)
    expect(lines.join('\n')).not.toContain('secret')
  })

  // The first is answered without yoga, the other through it.
  test.each(['application/json', 'application/json;q=0.9'])(
    'GraphQL over HTTP is logged with the user: %s',
    async (accept) => {
      const { ask, lines } = await serveApp()
      const headers = { 'content-type': 'application/json', accept }
      const reply = await ask('/graphql', {
        method: 'POST',
        body: '{"query": "{ model(id: \\"nope\\") { id } }"}',
        headers,
      })
      await reply.text()
      await expect.poll(() => lines.join('\n')).toMatch(/"code":"NOT_FOUND".*"userId":"usr_/)
    },
  )

  test('GraphQL over HTTP loads persisted documents from a file, and fails to start with an invalid one', async () => {
    await expect(serveApp({ config: { graphql: { ...open, documents: '/nowhere.json' } } })).rejects.toThrow(
      'FAIRLEAD_GRAPHQL_DOCUMENTS must name a JSON file',
    )
  })
})

describe('GraphiQL', () => {
  const browser = { headers: { accept: 'text/html,application/xhtml+xml' } }

  test('GraphiQL loads all of its files from the service itself', async () => {
    const { ask } = await serveApp()
    const page = await ask('/graphql', browser)
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /)
    const html = await page.text()
    const loaded = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)
    const workers = ['editor', 'json', 'graphql'].map((name) => `/graphql/graphiql/${name}-worker.js`)
    for (const path of [...loaded, ...workers]) {
      const response = await ask(path)
      expect([path, response.status, (await response.arrayBuffer()).byteLength > 0]).toEqual([path, 200, true])
    }
    expect(html).not.toMatch(/https?:/)
  })

  test('GraphiQL is disabled in production', async () => {
    const { ask } = await serveApp({ config: { graphql: production } })
    for (const [path, status] of [
      ['/graphql', 406],
      ['/graphql/graphiql/graphiql.js', 404],
    ] as const) {
      const response = await ask(path, browser)
      expect([path, response.status]).toEqual([path, status])
      await response.body?.cancel()
    }
  })
})

describe('a stock client', () => {
  async function client() {
    const { url, caller, lines } = await serveApp()
    const urql = new Client({
      url: `${url}/graphql`,
      preferGetMethod: false,
      fetchSubscriptions: true,
      fetchOptions: { headers: { authorization: `Bearer ${caller.token}` } },
      exchanges: [fetchExchange],
    })
    return { urql, lines }
  }

  test('a stock client runs queries and mutations, and pages through a list', async () => {
    const { urql } = await client()
    const add = gql`
      mutation ($input: CreateShipmentInput!) {
        createShipment(input: $input) {
          shipment {
            id
          }
        }
      }
    `
    const place = { name: 'Ada', street: '1 Quay', city: 'Hamburg', postalCode: '20457', country: 'DE' }
    for (const reference of ['a', 'b', 'c']) {
      const input = { reference, origin: place, destination: place, parcels: [{ weightKg: 1 }] }
      expect((await urql.mutation(add, { input })).error).toBeUndefined()
    }
    const list = gql`
      query ($after: String) {
        shipments(first: 2, after: $after, sort: CREATED_AT) {
          edges {
            node {
              reference
            }
          }
          pageInfo {
            endCursor
            hasNextPage
          }
        }
      }
    `
    const seen: string[] = []
    for (let after: string | null = null, more = true; more;) {
      const { data, error }: OperationResult = await urql.query(list, { after })
      expect(error).toBeUndefined()
      seen.push(...data.shipments.edges.map((edge: { node: { reference: string } }) => edge.node.reference))
      after = data.shipments.pageInfo.endCursor
      more = data.shipments.pageInfo.hasNextPage
    }
    expect(seen.toSorted()).toEqual(['a', 'b', 'c'])
  })

  test('a stock client runs subscriptions', async () => {
    const { urql, lines } = await client()
    const stream = gql`
      subscription {
        generateStream(input: { model: "any", prompt: "hi" }) {
          ... on GenerationChunk {
            content
          }
          ... on Generation {
            content
            finishReason
          }
        }
      }
    `
    const pieces: unknown[] = []
    urql.subscription(stream, {}).subscribe(({ data, error }) => void pieces.push(error ?? data.generateStream))
    // The client leaves by itself when the stream is complete.
    await expect.poll(() => lines.join('')).toContain('"route":"/graphql"')
    await expect.poll(() => pieces.length).toBeGreaterThanOrEqual(3)
    expect(pieces.slice(0, 3)).toEqual([
      { content: 'hello' },
      { content: ' there' },
      { content: 'hello there', finishReason: 'STOP' },
    ])
  })

  test('a stock client receives errors with their codes', async () => {
    const { urql } = await client()
    const { error } = await urql.query('{ model(id: "nope") { id } }', {})
    expect(error?.graphQLErrors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' })
  })
})
