import { operations } from '@fairlead/core'
import { painter, reader, scripted, testCore } from '@fairlead/core/testing'
import { getIntrospectionQuery, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { buildSchema } from '../build-schema.ts'
import type { GraphqlContext } from '../context.ts'
import { byGraphqlJs, byPlan } from '../testing/both-ways.ts'

const address = { name: 'Ada', street: '1 Dock Road', city: 'Porto', postalCode: '4000', country: 'PT' }
const parcel = { weightKg: 2.5, description: 'books' }
const shipment = { reference: 'A-1', origin: address, destination: address, parcels: [parcel] }

const documents: readonly [name: string, text: string, variables?: Readonly<Record<string, unknown>>][] = [
  ['the schema', getIntrospectionQuery()],
  [
    'a type of the schema',
    '{ __typename __type(name: "Model") { name fields { name type { kind ofType { name } } } } }',
  ],
  ['a list', '{ models { id type pricing { input output known } capabilities { streaming sizes } } me { name tier } }'],
  [
    'merged fields and fragments',
    `query ($type: ModelType) { few: models(type: $type) { ...m } models { ...m name } models { pricing { input } } }
     fragment m on Model { id pricing { output } }`,
  ],
  ['what is refused beside what is not', '{ model(id: "nothing") { id } me { email } providers { id } }'],
  [
    'a connection',
    '{ apiKeys(first: 2) { edges { cursor node { id name scopes } } pageInfo { hasNextPage endCursor } } }',
  ],
  ['a node that is not there', '{ node(id: "usr_1") { id ... on User { name } } shipment(id: "shp_1") { id } }'],
  ['sums', '{ usage { period credentials { kind } } usageTimeseries(groupBy: DAY) { groups { group errors } } }'],
  [
    'model calls',
    `mutation ($input: GenerateInput!) {
       a: generate(input: $input) { content usage { totalTokens } meta { provider costUsd warnings { issue } } }
       b: generate(input: { model: "nothing", prompt: "x" }) { content }
       generateImage(input: { model: "brush", prompt: "a harbour" }) { url modelInfo { name } }
       analyze(input: { text: "good", tasks: [SENTIMENT] }) { sentiment { score label } entities { text } }
     }`,
    { input: { model: 'calm', prompt: 'x' } },
  ],
  [
    'changes, one refused for the other, with an edge',
    `mutation ($input: CreateShipmentInput!) {
       one: createShipment(input: $input) { ...s }
       two: createShipment(input: $input) { ...s }
     }
     fragment s on Shipment { id reference status version parcels { weightKg } user { name } origin { city } }`,
    { input: shipment },
  ],
]

describe('a document of the service’s own schema', () => {
  test.each(documents)('is answered by a plan as by graphql-js: %s', async (_name, text, variables = {}) => {
    const schema = buildSchema(Object.values(operations))
    const document = parse(text)
    expect(validate(schema, document)).toEqual([])
    const run = async (by: typeof byPlan) =>
      withoutIds(await by({ schema, document, variables, context: await world() }))
    expect(await run(byPlan)).toBe(await run(byGraphqlJs))
  })
})

function withoutIds(answer: unknown): string {
  return JSON.stringify(answer)
    .replaceAll(/_\d{37}/g, '_')
    .replaceAll(/"\w*[cC]ursor":"[\w-]+"/g, 'cursor')
}

/** A request to a service that is the same each time, but for its ids. */
async function world(): Promise<GraphqlContext> {
  const read = reader('reader', { sentiment: { score: 0.5, label: 'positive' } })
  const { core, caller } = await testCore({ providers: [scripted('calm', 'hello there'), painter('brush'), read] })
  const { signal } = new AbortController()
  return { core, credentials: caller, requestId: 'req_1', address: 'here', signal, outcome: {} }
}
