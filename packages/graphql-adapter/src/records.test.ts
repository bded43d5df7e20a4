import { edges, operations } from '@fairlead/testing/workspace'
import { scripted, shipmentInput, fakeTextModel } from '@fairlead/testing'
import { describe, expect, test, vi } from 'vitest'
import { serve, type Served } from './testing/serve.ts'

async function addShipments({ core, caller, clock }: Served, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    clock.advance(1)
    const reply = await core.run(operations.createShipment, caller, shipmentInput(`order-${n}`))
    if (reply.success) ids.push(reply.data.id)
  }
  return ids
}

describe('a connection', () => {
  test('a connection continues after any of its edges', async () => {
    const served = await serve()
    const ids = (await addShipments(served, 5)).toReversed()
    const page =
      'query($after: String) { shipments(first: 2, after: $after) { edges { cursor node { id } } pageInfo { hasNextPage endCursor } } }'
    const first = (await served.ask(page)).json.data.shipments
    expect(first.edges.map((edge: { node: { id: string } }) => edge.node.id)).toEqual(ids.slice(0, 2))
    expect(first.pageInfo).toEqual({ hasNextPage: true, endCursor: first.edges[1].cursor })
    const behindFirst = (await served.ask(page, { after: first.edges[0].cursor })).json.data.shipments
    expect(behindFirst.edges.map((edge: { node: { id: string } }) => edge.node.id)).toEqual(ids.slice(1, 3))
    const last = (await served.ask(page, { after: behindFirst.edges[1].cursor })).json.data.shipments
    expect(last.pageInfo.hasNextPage).toBe(false)
  })

  test('a connection has the last records, and those before any of its edges, in the order of the list', async () => {
    const served = await serve()
    const ids = (await addShipments(served, 5)).toReversed()
    const page = `query($before: String) {
      shipments(last: 2, before: $before) {
        edges { cursor node { id } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }`
    const last = (await served.ask(page)).json.data.shipments
    expect(last.edges.map((edge: { node: { id: string } }) => edge.node.id)).toEqual(ids.slice(3))
    const [startCursor, endCursor] = last.edges.map((edge: { cursor: string }) => edge.cursor)
    expect(last.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: true, startCursor, endCursor })
    const before = (await served.ask(page, { before: endCursor })).json.data.shipments
    expect(before.edges.map((edge: { node: { id: string } }) => edge.node.id)).toEqual(ids.slice(2, 4))
    expect(before.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true })
    const forwards = 'query($after: String) { shipments(after: $after) { nodes { id } pageInfo { hasPreviousPage } } }'
    expect((await served.ask(forwards, { after: startCursor })).json.data.shipments).toEqual({
      nodes: [{ id: ids[4] }],
      pageInfo: { hasPreviousPage: true },
    })
  })

  test.each([
    ['first: 1, last: 1', 'first', 'cannot be combined with "last"'],
    ['last: 1, after: "x"', 'after', 'cannot be combined with "last"'],
    ['before: "x"', 'before', 'requires "last"'],
    ['last: 101', 'last', 'must be between 1 and 100'],
  ])('a connection rejects (%s), and names the argument', async (args, field, issue) => {
    const { ask } = await serve()
    const { json } = await ask(`{ shipments(${args}) { nodes { id } } }`)
    expect(json.errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST', details: { field, issue } } }])
  })

  test('a connection of projects has only the arguments to page forwards, as the personal one is always first', async () => {
    const { ask } = await serve()
    const { json } = await ask('{ projects(last: 1) { nodes { id } } }')
    expect(json.errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST', details: { field: 'last' } } }])
  })

  test('a connection takes filters and a sort order', async () => {
    const served = await serve()
    const [oldest] = await addShipments(served, 3)
    const { json } = await served.ask(
      '{ shipments(sort: CREATED_AT, status: PENDING, reference: "order-0") { edges { node { id } } } }',
    )
    expect(json.data.shipments.edges).toEqual([{ node: { id: oldest } }])
  })
})

describe('edges', () => {
  test('edges of one level are loaded together, with the caller’s credentials', async () => {
    const served = await serve()
    await addShipments(served, 5)
    const load = vi.spyOn(served.core, 'load')
    const { json } = await served.ask('{ shipments { edges { node { id version user { id version } } } } }')
    const [{ node }] = json.data.shipments.edges
    expect(node).toMatchObject({ version: 1, user: { version: 1 } })
    expect(load).toHaveBeenCalledTimes(1)
    const [, , ids] = load.mock.lastCall ?? []
    expect(load).toHaveBeenCalledWith(
      edges['Shipment']!['user']!.loader,
      served.caller,
      expect.any(Array),
      expect.any(String),
    )
    expect(ids).toHaveLength(5)
  })

  test('edges are loaded again after a mutation', async () => {
    const served = await serve()
    const [shipment] = await addShipments(served, 1)
    const { id, email } = (await served.ask('{ me { id email } }')).json.data.me
    const { json } = await served.ask(
      `mutation ($shipment: UpdateShipmentInput!, $user: UpdateUserInput!) {
         updateShipment(input: $shipment) { shipment { user { name } } }
         updateUser(input: $user) { user { name } }
         again: updateShipment(input: $shipment) { shipment { user { name } } }
       }`,
      { shipment: { id: shipment, ...shipmentInput('order-0') }, user: { id, email, name: 'Grace' } },
    )
    expect(json.errors).toBeUndefined()
    expect(json.data.again.shipment.user.name).toBe('Grace')
  })

  test('edges connect a key with its usage, and a result with its model', async () => {
    const { ask, keyId } = await serve()
    const { json } = await ask('{ apiKeys { edges { node { usage { used apiKey { id } } } } } }')
    expect(json.data.apiKeys.edges[0].node.usage).toMatchObject({ apiKey: { id: keyId } })
    const result = await ask(
      'mutation { generate(input: {model: "any", prompt: "a"}) { generation { modelId createdAt model { id type } } } }',
    )
    expect(result.json.data.generate.generation).toEqual({
      modelId: 'any',
      createdAt: '2026-03-14T09:26:53.000Z',
      model: { id: 'any', type: 'TEXT' },
    })
  })

  test('edges show what is left of the budgets of users and keys, also in lists', async () => {
    const { ask, fairlead, keyId } = await serve()
    const { id: userId } = (await ask('{ me { id } }')).json.data.me
    await fairlead.users.patch({ id: userId, budgetUsd: 5, budgetPeriod: 'month' })
    const budget = '{ id kind remainingUsd period }'
    const ofUser = { id: userId, kind: 'USER', remainingUsd: 5, period: 'MONTH' }
    const document = `{ me { budget ${budget} } user(id: "${userId}") { budget ${budget} } apiKey(id: "${keyId}") { budget ${budget} } }`
    const { json } = await ask(document)
    expect(json.data).toEqual({ me: { budget: ofUser }, user: { budget: ofUser }, apiKey: { budget: null } })
    await fairlead.apiKeys.update({ id: keyId, budgetUsd: 2 })
    const listed = await ask(
      `{ apiKeys { nodes { budget ${budget} } } node(id: "${keyId}") { ... on ApiKey { budget ${budget} } } }`,
    )
    const ofKey = { budget: { id: keyId, kind: 'KEY', remainingUsd: 2, period: null } }
    expect(listed.json.data).toEqual({ apiKeys: { nodes: [ofKey] }, node: ofKey })
  })

  test('edges leave out the scope of a feature that was removed, which a key keeps', async () => {
    const { ask, keyId, stores } = await serve()
    await stores.transact(async (tx) => {
      const key = await tx.keys.find(keyId)
      await tx.keys.update(keyId, { ...key!, scopes: ['keys', 'notes'] })
    })
    const { json } = await ask('{ apiKeys { nodes { scopes } } }')
    expect(json).toMatchObject({ data: { apiKeys: { nodes: [{ scopes: ['KEYS'] }] } } })
    expect(json.errors).toBeUndefined()
  })

  test('edges that the caller may not read have their own error', async () => {
    const { ask, addCaller } = await serve()
    const { credentials } = await addCaller({ key: { scopes: ['generate'] } })
    const headers = { authorization: `Bearer ${credentials.token}` }
    const asked = 'mutation { generate(input: {model: "any", prompt: "a"}) { generation { content model { id } } } }'
    const { json } = await ask(asked, undefined, { headers })
    expect(json.data.generate.generation).toEqual({ content: 'hello there', model: null })
    expect(json.errors).toMatchObject([
      { path: ['generate', 'generation', 'model'], extensions: { code: 'FORBIDDEN' } },
    ])
  })
})

describe('node', () => {
  test('node finds records by their REST ids, for callers who may read them', async () => {
    const served = await serve()
    const [id] = await addShipments(served, 1)
    const other = await served.addCaller()
    const query = 'query($id: ID!) { node(id: $id) { __typename id ... on Shipment { reference } } }'
    expect((await served.ask(query, { id })).json.data.node).toMatchObject({
      __typename: 'Shipment',
      reference: 'order-0',
    })
    const headers = { authorization: `Bearer ${other.credentials.token}` }
    expect((await served.ask(query, { id }, { headers })).json).toMatchObject({ data: { node: null } })
    expect((await served.ask(query, { id: served.keyId })).json.data.node).toMatchObject({
      __typename: 'ApiKey',
    })
  })

  test('node finds a record once if a document selects it twice', async () => {
    const served = await serve()
    const [id] = await addShipments(served, 1)
    const { json } = await served.ask(
      'query($id: ID!) { a: node(id: $id) { id } b: node(id: $id) { ... on Shipment { reference } } }',
      { id },
    )
    expect(json).toMatchObject({ data: { a: { id }, b: { reference: 'order-0' } } })
    expect(json.errors).toBeUndefined()
  })

  test('node finds all records of a document together, for one unit', async () => {
    const served = await serve()
    const ids = await addShipments(served, 10)
    const { id: user } = (await served.ask('{ me { id } }')).json.data.me
    const before = (await served.stores.read((view) => view.counters.peek(served.keyId))).used
    const find = vi.spyOn(served.stores, 'read')
    const fields = [...ids, user, 'shp_1'].map((id, n) => `n${n}: node(id: "${id}") { __typename id }`)
    const { json } = await served.ask(`{ ${fields.join(' ')} }`)
    expect(json.data).toMatchObject({
      n0: { id: ids[0] },
      n9: { __typename: 'Shipment' },
      n10: { id: user },
      n11: null,
    })
    expect(json.errors).toBeUndefined()
    expect(find.mock.calls.length).toBeLessThan(6)
    expect((await served.stores.read((view) => view.counters.peek(served.keyId))).used).toBe(before + 1)
  })

  test('node finds the records of a list in its order, together with those of `node`', async () => {
    const served = await serve()
    const [first, second] = await addShipments(served, 2)
    const before = (await served.stores.read((view) => view.counters.peek(served.keyId))).used
    const { json } = await served.ask(
      'query($ids: [ID!]!, $id: ID!) { nodes(ids: $ids) { __typename id } node(id: $id) { id } }',
      { ids: [second, 'shp_1', served.keyId, second], id: first },
    )
    expect(json.data).toEqual({
      nodes: [
        { __typename: 'Shipment', id: second },
        null,
        { __typename: 'ApiKey', id: served.keyId },
        { __typename: 'Shipment', id: second },
      ],
      node: { id: first },
    })
    expect(json.errors).toBeUndefined()
    expect((await served.stores.read((view) => view.counters.peek(served.keyId))).used).toBe(before + 1)
  })

  test('node rejects a list of more records than an operation may return', async () => {
    const { ask } = await serve()
    const ids = Array.from({ length: 1_900 }, (_, n) => `shp_${n}`)
    const { json } = await ask('query($ids: [ID!]!) { nodes(ids: $ids) { __typename id a: id } }', { ids })
    expect(json.errors[0].message).toContain('its complexity is')
  })

  test('node has an error of its own for each type that the caller may not read', async () => {
    const served = await serve()
    const { credentials, keyId } = await served.addCaller({ key: { scopes: ['keys'] } })
    const [id] = await addShipments(served, 1)
    const { json } = await served.ask(`{ a: node(id: "${id}") { id } b: node(id: "${keyId}") { id } }`, undefined, {
      headers: { authorization: `Bearer ${credentials.token}` },
    })
    expect(json.data).toEqual({ a: null, b: { id: keyId } })
    expect(json.errors).toMatchObject([{ path: ['a'], extensions: { code: 'FORBIDDEN' } }])
  })

  test.each(['', 'nonsense', 'img_1', 'shp_', 'constructor_1'])(
    'node is null, without an error, for the unknown id %j',
    async (id) => {
      const { ask } = await serve()
      const { json } = await ask('query($id: ID!) { node(id: $id) { id } }', { id })
      expect(json.data).toEqual({ node: null })
      expect(json.errors).toBeUndefined()
    },
  )
})

describe('me', () => {
  const mine = '{ usage { tier } apiKeys(first: 1) { nodes { id } } sessions { id } shipments { nodes { reference } } }'

  test('me has the usage, API keys, sessions and shipments of the caller', async () => {
    const served = await serve()
    await addShipments(served, 1)
    const other = await served.addCaller()
    await served.core.run(operations.createShipment, other.credentials, shipmentInput('of another'))
    const { json } = await served.ask(`{ me ${mine} }`)
    expect(json.data.me).toEqual({
      usage: { tier: 'FREE' },
      apiKeys: { nodes: [{ id: served.keyId }] },
      sessions: [],
      shipments: { nodes: [{ reference: 'order-0' }] },
    })
  })

  test('me has nothing but shipments of other users', async () => {
    const served = await serve()
    await addShipments(served, 1)
    const admin = await served.addCaller({ user: { role: 'admin' } })
    const { id } = (await served.ask('{ me { id } }')).json.data.me
    const headers = { authorization: `Bearer ${admin.credentials.token}` }
    const { json } = await served.ask(`{ user(id: "${id}") ${mine} }`, undefined, { headers })
    expect(json.data.user).toMatchObject({ usage: null, apiKeys: null, sessions: null })
    expect(json.data.user.shipments.nodes).toEqual([{ reference: 'order-0' }])
    const own = await served.ask(`{ me ${mine} }`, undefined, { headers })
    expect(own.json.data.me.shipments.nodes).toEqual([])
  })
})

describe('the mutations of an API key', () => {
  test('the mutations of an API key return the key, and the secret beside it', async () => {
    const { ask } = await serve()
    const created = (await ask('mutation { createApiKey(input: { name: "a" }) { secret apiKey { id name } } }')).json
    const { apiKey, secret } = created.data.createApiKey
    expect([apiKey.name, secret]).toEqual(['a', expect.stringMatching(/^fl_/)])
    const { json } = await ask(`mutation {
      updateApiKey(input: { id: "${apiKey.id}", name: "b" }) { apiKey { name scopes } }
      rotateApiKey(input: { id: "${apiKey.id}" }) { secret apiKey { name } }
      revokeApiKey(input: { id: "${apiKey.id}" }) { apiKey { name revokedAt } }
    }`)
    expect(json.data).toMatchObject({
      updateApiKey: { apiKey: { name: 'b', scopes: ['GENERATE', 'ANALYZE', 'MODELS'] } },
      rotateApiKey: { secret: expect.not.stringMatching(secret), apiKey: { name: 'b' } },
      revokeApiKey: { apiKey: { name: 'b', revokedAt: expect.any(String) } },
    })
  })
})

describe('a list of models', () => {
  test('a list of models has no prices where they are unknown', async () => {
    const priced = { ...fakeTextModel({ id: 'priced' }), pricing: { input: 1, output: 2 } }
    const { pricing: _pricing, ...unknown } = fakeTextModel({ id: 'unknown' })
    const { ask } = await serve({ providers: [{ ...scripted('calm', 'x'), models: [priced, unknown] }] })
    const { json } = await ask('{ models { id pricing { input output } } }')
    expect(json.data.models).toEqual([
      { id: 'priced', pricing: { input: 1, output: 2 } },
      { id: 'unknown', pricing: null },
    ])
  })

  test('a list of models is beside a list of analyzers', async () => {
    const { ask } = await serve()
    const { json } = await ask('{ analyzers { id provider tasks { task languages } } }')
    expect(json.data.analyzers).toEqual([
      { id: 'eyes', provider: 'reader', tasks: expect.arrayContaining([{ task: 'ENTITIES', languages: ['en'] }]) },
    ])
  })
})

describe('a response', () => {
  test('a response has the cost of the operation, its maximum, and the caller’s quota', async () => {
    const { ask } = await serve()
    const { json } = await ask('{ models { id } }')
    expect(json.extensions).toEqual({
      cost: { depth: 2, breadth: 2, complexity: 11, maximum: { depth: 10, breadth: 500, complexity: 5_000 } },
      quota: { limit: 1_000, remaining: 999, resetAt: '2026-04-01T00:00:00.000Z' },
    })
  })
})

describe('a record', () => {
  test('a record is updated only at the version of ifVersion', async () => {
    const served = await serve()
    const [id] = await addShipments(served, 1)
    const change =
      'mutation($input: UpdateShipmentInput!, $version: Int) { updateShipment(input: $input, ifVersion: $version) { shipment { version status notes } } }'
    const input = { ...shipmentInput('order-0'), id, status: 'IN_TRANSIT', notes: null, estimatedDelivery: null }
    const done = await served.ask(change, { input, version: 1 })
    expect(done.json.data.updateShipment.shipment).toEqual({ version: 2, status: 'IN_TRANSIT', notes: null })
    const stale = await served.ask(change, { input, version: 1 })
    expect(stale.json.errors[0].extensions.code).toBe('PRECONDITION_FAILED')
  })

  test('a record keeps absent fields in an update, and clears fields that are null', async () => {
    const served = await serve()
    const [id] = await addShipments(served, 1)
    const update = async (fields: string) => {
      const document = `mutation { updateShipment(input: { id: "${id}", ${fields} }) { shipment { reference carrier notes } } }`
      return (await served.ask(document)).json.data.updateShipment.shipment
    }
    expect(await update('carrier: "DHL", notes: "fragile"')).toMatchObject({ carrier: 'DHL', notes: 'fragile' })
    expect(await update('notes: null')).toEqual({ reference: 'order-0', carrier: 'DHL', notes: null })
    const { id: user, name } = (await served.ask('{ me { id name } }')).json.data.me
    const renamed = await served.ask(
      `mutation { updateUser(input: { id: "${user}", name: "Grace" }) { user { name } } }`,
    )
    expect([name, renamed.json.data.updateUser.user]).toEqual(['Ada', { name: 'Grace' }])
  })

  test('a record accepts null for absent fields', async () => {
    const { ask } = await serve()
    const input = { model: 'any', prompt: 'a', maxTokens: null, seed: null, stop: null, temperature: null }
    const { json } = await ask(
      'mutation($input: GenerateInput!) { generate(input: $input) { generation { content } } }',
      { input },
    )
    expect(json.data.generate.generation.content).toBe('hello there')
  })
})
