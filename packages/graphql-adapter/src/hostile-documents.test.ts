import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { testCore } from '@fairlead/testing'
import { getIntrospectionQuery } from 'graphql'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { graphqlListener } from './graphql-adapter.ts'
import { serve } from './testing/serve.ts'

const many = (count: number, part: (n: number) => string) => Array.from({ length: count }, (_, n) => part(n)).join(' ')
const nested = (count: number, open: string, inner: string, close: string) =>
  open.repeat(count) + inner + close.repeat(count)
const circles = (count: number) =>
  `{ apiKeys { edges { node ${nested(count, '{ usage { apiKey ', '{ id }', ' } }')} } } }`
const parcels = 'parcels { weightKg description lengthCm widthCm heightCm } history { at status }'

type Hostile = readonly [name: string, query: string, variables: object, reason: RegExp]

const tooNested = /nests brackets more than 64 deep/

const hostile: readonly Hostile[] = [
  ['four thousand aliases', `{ ${many(4_000, (n) => `a${n}: models { id }`)} }`, {}, /more tha[nt] 1000 tokens/],
  ['more aliases than are allowed', `{ ${many(51, (n) => `a${n}: models { id }`)} }`, {}, /more than 50 aliases/],
  ['a depth of a thousand', circles(500), {}, tooNested],
  ['a depth of eleven', circles(4), {}, /its depth is 12, the maximum is 10/],
  ['a megabyte of tokens', `{ ${'models { id } '.repeat(70_000)} }`, {}, /more than 100000 characters/],
  ['a megabyte of brackets', '{'.repeat(900_000), {}, /more than 100000 characters/],
  ['unclosed nested fields', '{a'.repeat(400), {}, tooNested],
  ['unclosed nested inline fragments', `{${'...{'.repeat(400)}`, {}, tooNested],
  ['unclosed nested objects', `{a(b:${'{c:'.repeat(300)}`, {}, tooNested],
  ['unclosed nested lists', `{a(b:${'['.repeat(900)}`, {}, tooNested],
  ['unclosed nested list types', `query($a:${'['.repeat(900)}`, {}, tooNested],
  ['a cycle of fragments', '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }', {}, /Cannot spread/],
  [
    'exponential fragments',
    `{ ...f0 } ${many(12, (n) => `fragment f${n} on Query {${` ...f${n + 1}`.repeat(3)} }`)} fragment f12 on Query { models { id } }`,
    {},
    /its breadth is 1062882, the maximum is 500/,
  ],
  [
    'nested lists',
    `{ shipments(first: 100) { edges { node { ${parcels} } } } }`,
    {},
    /its complexity is \d+, the maximum is/,
  ],
  [
    'nested lists by variable',
    `query($n: Int) { shipments(first: $n) { edges { node { ${parcels} } } } }`,
    { n: 100 },
    /its complexity is \d+, the maximum is/,
  ],
  [
    'recursive introspection',
    `{ __schema { types ${nested(6, '{ fields { type ', '{ name }', ' } }')} } }`,
    {},
    /Maximum introspection depth exceeded/,
  ],
  [
    'variables with many values',
    'mutation($input: GenerateInput!) { generate(input: $input) { generation { id } } }',
    { input: Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`x${n}`, n])) },
    /The variables have more than 2000 values/,
  ],
  ['a repeated field', `{ ${many(240, () => 'models { id }')} }`, {}, /"models" is selected more than 25 times/],
  [
    'a repeated field in merged fields',
    `{ ${many(20, () => `models { pricing { ${many(20, () => 'input')} } }`)} }`,
    {},
    /"input" is selected more than 25 times/,
  ],
  [
    'a repeated field in fragments',
    `{ ${many(26, (n) => `...f${n}`)} } ${many(26, (n) => `fragment f${n} on Query { ... { models { id } } }`)}`,
    {},
    /"models" is selected more than 25 times/,
  ],
  [
    'five logins',
    `mutation { ${many(5, (n) => `a${n}: login(input: { email: "a@b.c", password: "${n}" }) { expiresIn }`)} }`,
    {},
    /its complexity is 5005, the maximum is 5000/,
  ],
  [
    'five sign-ups',
    `mutation { ${many(5, (n) => `a${n}: signup(input: { email: "a${n}@b.c", password: "long enough ${n}", name: "a" }) { expiresIn }`)} }`,
    {},
    /its complexity is 5005, the maximum is 5000/,
  ],
  [
    'the schema under a few aliases',
    `{ ${many(6, (n) => `s${n}: __schema { types { name } }`)} }`,
    {},
    /selects the schema more than 5 times/,
  ],
  [
    'aliases in the schema',
    '{ __schema { ...s } } fragment s on __Schema { types { name } again: types { name } }',
    {},
    /aliases within introspection fields/,
  ],
]

describe('a hostile document', () => {
  test.each(hostile)('%s: is rejected before execution', async (_name, query, variables, reason) => {
    const { ask, stores, keyId } = await serve()
    const { json, status } = await ask(query, variables, { headers: { accept: 'application/graphql-response+json' } })
    expect(status).toBe(400)
    expect(json.data).toBeUndefined()
    expect(json.errors[0]).toMatchObject({
      message: expect.stringMatching(reason),
      extensions: { code: 'INVALID_REQUEST' },
    })
    expect(json.errors.length).toBeLessThanOrEqual(21)
    expect((await stores.read((view) => view.counters.peek(keyId))).used).toBe(0)
  })

  test('a hostile document gets at most 21 errors of at most 300 characters', async () => {
    const { ask } = await serve()
    const name = 'A'.repeat(40_000)
    const { json, text: sent } = await ask(`query ${name} { ${many(25, (n) => `a${n}: models(type: $v${n}) { id }`)} }`)
    expect(json.errors).toHaveLength(21)
    expect(json.errors[20].message).toContain('Too many validation errors')
    expect(json.errors[0].message).toMatch(/^Variable "\$v0" is not defined by operation "A+…$/)
    expect(json.errors[0].message).toHaveLength(300)
    expect(sent.length).toBeLessThan(20_000)
  })

  test('a hostile document gets at most 5 locations for an error', async () => {
    const { ask } = await serve()
    const circle = many(60, (n) => `fragment f${n} on Query { ...f${(n + 1) % 60} }`)
    const { json } = await ask(`{ ...f0 } ${circle}`)
    expect(json.errors[0].message).toContain('Cannot spread fragment')
    expect(json.errors[0].locations).toHaveLength(5)
  })

  test('a hostile document of more than 1,000 lines gets errors without locations', async () => {
    const { ask } = await serve()
    expect((await ask('{\nnothing }')).json.errors[0].locations).toEqual([{ line: 2, column: 1 }])
    const { json } = await ask(`{${'\n'.repeat(1_001)}nothing }`)
    expect(json.errors[0]).toMatchObject({ message: expect.stringContaining('"nothing"') })
    expect(json.errors[0].locations).toBeUndefined()
  })

  test('a hostile document with an operation name of a megabyte gets an error of at most 300 characters', async () => {
    const { ask } = await serve()
    const { json } = await ask('query a { models { id } }', {}, { params: { operationName: 'A'.repeat(900_000) } })
    expect(json.errors[0].message).toMatch(/^The document has no operation named "A{119}…"\.$/)
  })

  test('a hostile document gets the same errors over GET and POST', async () => {
    const { send } = await serve()
    const query = encodeURIComponent(hostile[1]?.[1] ?? '')
    const { json } = await send({ search: `?query=${query}`, headers: { accept: 'application/graphql-response+json' } })
    expect(json.errors[0].message).toBe('The document has more than 50 aliases.')
  })

  test('a hostile document that exceeds the maximum body size gets 413', async () => {
    const { ask, send } = await serve({ maxBodyBytes: 1_000 })
    const large = await ask('{ models { id } }', { padding: 'x'.repeat(1_000) })
    expect([large.status, large.json.errors[0].extensions.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const body = JSON.stringify({ query: '{ models { id } }', variables: { padding: 'x'.repeat(1_000) } })
    const other = { 'content-type': 'application/json', accept: 'application/json;q=1' }
    expect((await send({ method: 'POST', body, headers: other })).status).toBe(413)
  })

  test.each(['application/json', 'application/json;q=1'])(
    'a hostile document with too many JSON tokens or levels is rejected before parsing: %s',
    async (accept) => {
      const { send } = await serve()
      const post = (variables: string) =>
        send({
          method: 'POST',
          body: `{"query":"{ models { id } }","variables":{"x":${variables}}}`,
          headers: { 'content-type': 'application/json', accept },
        })
      const wide = await post(`[${'{},'.repeat(40_000)}{}]`)
      expect([wide.status, wide.json.errors[0].message]).toEqual([
        413,
        'The body may have at most 100,000 JSON tokens.',
      ])
      const deep = await post('['.repeat(200_000) + ']'.repeat(200_000))
      expect([deep.status, deep.json.errors[0].message]).toEqual([
        400,
        'The body must not be nested deeper than 64 levels.',
      ])
    },
  )

  test.each([
    ['says so', { 'content-length': '1000000' }],
    ['is so', { 'transfer-encoding': 'chunked' }],
  ])('a hostile document is rejected as soon as it %s', async (_when, headers) => {
    const { url } = await serve({ maxBodyBytes: 1_000 })
    const type = { 'content-type': 'application/json' }
    const asked = request(url, { method: 'POST', headers: { ...type, ...headers } })
    onTestFinished(() => void asked.destroy())
    asked.write('x'.repeat(1_001))
    const [{ statusCode }] = (await once(asked, 'response')) as [IncomingMessage]
    expect(statusCode).toBe(413)
  })

  test('a hostile document of almost 1 MiB is accepted, with a long prompt in the variables', async () => {
    const { send } = await serve()
    const query = 'mutation ($input: GenerateInput!) { generate(input: $input) { generation { content } } }'
    const prompt = 'x'.repeat(1_000_000)
    const body = JSON.stringify({ query, variables: { input: { model: 'any', prompt } } })
    const { json } = await send({ method: 'POST', body, headers: { 'content-type': 'application/json' } })
    expect(json).toMatchObject({ data: { generate: { generation: { content: expect.any(String) } } } })
  })

  test('a hostile document in a batch is rejected', async () => {
    const { send } = await serve()
    const body = JSON.stringify([{ query: '{ models { id } }' }, { query: '{ models { id } }' }])
    const { status, json } = await send({ method: 'POST', body, headers: { 'content-type': 'application/json' } })
    expect([status, json.errors[0].extensions.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  test.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/graphql',
  ])('a hostile document is rejected as %s', async (type) => {
    const { send } = await serve()
    const { status } = await send({ method: 'POST', body: 'query={models{id}}', headers: { 'content-type': type } })
    expect(status).toBe(415)
  })

  // Without yoga, and through it.
  describe.each(['application/json', 'application/json;q=0.9'])('with another encoding: %s', (accept) => {
    const body = JSON.stringify({ query: '{ models { id } }' })
    test.each([
      ['utf-16', Buffer.from(body, 'utf16le'), { 'content-type': 'application/json; charset=utf-16' }],
      ['latin1', body, { 'content-type': 'application/json; charset="iso-8859-1"' }],
      ['gzip', gzipSync(body), { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    ])('a document with another encoding is rejected with a fix: %s', async (_name, content, headers) => {
      const { send } = await serve()
      const { status, json } = await send({ method: 'POST', body: content, headers: { ...headers, accept } })
      expect([status, json.errors[0].extensions.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
      expect(json.errors[0].message).toContain('in UTF-8, and without a Content-Encoding')
    })

    test('a document with another encoding is accepted with parameters that JSON ignores', async () => {
      const { send } = await serve()
      const type = 'application/json; charset="UTF-8"; profile=x'
      const headers = { 'content-type': type, 'content-encoding': 'identity', accept }
      expect((await send({ method: 'POST', body, headers })).json.data.models).toHaveLength(2)
    })
  })

  describe.each(['application/json', 'application/json;q=0.9'])('with a wrong request: %s', (accept) => {
    const headers = { 'content-type': 'application/json', accept }

    test('a wrong request is rejected if the body is not valid UTF-8', async () => {
      const { send } = await serve()
      const body = Buffer.from('{"query":"{ models { id } } # \xff"}', 'latin1')
      const { status, json } = await send({ method: 'POST', body, headers })
      expect([status, json.errors[0].message]).toEqual([400, 'The body must be valid UTF-8.'])
    })

    test('a wrong request is rejected with an Idempotency-Key header', async () => {
      const { send, stores, keyId } = await serve()
      const body = JSON.stringify({
        query: 'mutation { generate(input: {model: "any", prompt: "a"}) { generation { content } } }',
      })
      const { status, json } = await send({ method: 'POST', body, headers: { ...headers, 'idempotency-key': 'k1' } })
      expect([status, json.errors[0].extensions.details.field]).toEqual([400, 'Idempotency-Key'])
      expect(json.errors[0].message).toContain('the argument "idempotencyKey"')
      expect((await stores.read((view) => view.counters.peek(keyId))).used).toBe(0)
    })
  })

  test('a hostile document is rejected if the URL is not valid UTF-8', async () => {
    const { send } = await serve()
    const { status, json } = await send({ search: '?query={__typename}%20%23%ff' })
    expect([status, json.errors[0].message]).toEqual([400, 'The URL must be percent-encoded UTF-8.'])
  })

  test('a hostile document that accepts no supported media type gets 406 with the supported ones', async () => {
    const { ask, accessLog } = await serve()
    const { status, json, headers } = await ask('{ models { id } }', {}, { headers: { accept: 'image/png' } })
    expect([status, json.errors[0].extensions.requestId]).toEqual([406, headers.get('x-request-id')])
    expect(json.errors[0].message).toMatch(
      /^Accept "application\/json" or .*"text\/event-stream" for a subscription\.$/,
    )
    await expect.poll(() => accessLog).toMatchObject([{ status: 406, code: 'INVALID_REQUEST' }])
  })

  test('a hostile document from a cross-site page is rejected', async () => {
    const { url } = await serve()
    const response = await fetch(`${url}?query={__typename}`)
    expect(response.status).toBe(403)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(await response.json()).toMatchObject({
      errors: [{ message: expect.stringContaining('X-GraphQL-Yoga-CSRF: 1'), extensions: { code: 'FORBIDDEN' } }],
    })
  })

  test.each(['variables', 'extensions'])(
    'a hostile document with malformed %s in its URL is rejected',
    async (name) => {
      const { send } = await serve()
      const { status, json } = await send({ search: `?query={__typename}&${name}={` })
      expect([status, json.errors[0].message]).toEqual([400, `"${name}" must be JSON.`])
      expect((await send({ search: `?query={__typename}&${name}=` })).json.data).toEqual({ __typename: 'Query' })
    },
  )

  test.each(['][', 'a b', 'x:99999'])(
    'a hostile document with the Host header %j is rejected without an internal message',
    async (host) => {
      const { url } = await serve()
      const asked = request(`${url}?query={__typename}`, { headers: { host, 'x-graphql-yoga-csrf': '1' } }).end()
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      expect(response.statusCode).toBe(400)
      expect(JSON.parse(await text(response))).toMatchObject({
        errors: [{ message: 'The Host header is malformed.', extensions: { code: 'INVALID_REQUEST' } }],
      })
    },
  )

  test('a hostile document that hits a bug gets 500, and the bug is logged', async () => {
    const { core, caller, logged } = await testCore()
    const listener = graphqlListener(core)
    const server = createServer((asked, response) => {
      vi.spyOn(response, 'writeHead').mockImplementationOnce(() => {
        throw new Error('a defect')
      })
      listener(asked, response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close().closeAllConnections())
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${caller.token}` },
      body: JSON.stringify({ query: '{ __typename }' }),
    })
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'INTERNAL_ERROR' } }] })
    expect(logged).toMatchObject([{ level: 'error' }])
  })

  test('a hostile document over GET cannot run a mutation', async () => {
    const { send } = await serve()
    const { status, headers } = await send({ search: `?query=${encodeURIComponent('mutation { logout { ended } }')}` })
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('the schema', () => {
  test('the schema is returned for the introspection query of tools', async () => {
    const { ask } = await serve()
    expect((await ask(getIntrospectionQuery())).json.errors).toBeUndefined()
  })

  test('the schema is not revealed with introspection and suggestions off', async () => {
    const { ask } = await serve({ introspection: false, suggestions: false })
    const { json } = await ask('{ __schema { types { name } } }')
    expect(json.errors[0].extensions.code).toBe('INVALID_REQUEST')
    expect((await ask('{ modles { id } }')).json.errors[0].message).not.toContain('models')
    expect((await ask('{ __typename }')).json.data).toEqual({ __typename: 'Query' })
  })
})
