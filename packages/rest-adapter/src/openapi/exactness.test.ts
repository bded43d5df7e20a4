import Ajv from 'ajv-draft-04'
import { shipmentInput } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { type Served, serve } from '../testing/serve.ts'
import type { OpenapiDocument, SchemaObject } from './openapi-object.ts'

const address = { ...shipmentInput().origin, postalCode: undefined, postal_code: '20457' }
const shipment = { ...shipmentInput(), origin: address, destination: address, parcels: [{ weight_kg: 1.5 }] }
const user = { email: 'ada@example.com', name: 'Ada', password: 'correct horse' }

/** Read once, because every server has the same. */
let documented: Awaited<ReturnType<typeof fetchDocument>> | undefined

async function fetchDocument({ ask }: Served) {
  const document = (await ask('GET', '/openapi.json')).json as OpenapiDocument
  const ajv = new Ajv.default({ strict: false, validateFormats: false })
  ajv.addSchema({ id: 'document', components: document.components } as object, 'document')
  return { document, ajv }
}

/** Whether the server and its OpenAPI document accept a request. */
async function verdicts(path: string, body: object, key?: string) {
  const served = await serve()
  const { ask, addCaller } = served
  const { credentials } = await addCaller({ user: { role: 'admin' } })
  const { document, ajv } = (documented ??= await fetchDocument(served))
  const { status } = await ask('POST', path, {
    body,
    headers: {
      authorization: `Bearer ${credentials.token}`,
      ...(key !== undefined && { 'idempotency-key': key }),
    },
  })
  const { requestBody } =
    (['', '/v1', '/api/v1'].map((prefix) => document.paths[prefix + path]).find(Boolean) ?? {})['post'] ?? {}
  const schema = requestBody?.content['application/json']?.schema as SchemaObject
  const header = document.components.parameters['IdempotencyKey']?.schema as SchemaObject
  const located = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object
  return {
    document:
      ajv.validate(located, JSON.parse(JSON.stringify(body))) && (key === undefined || ajv.validate(header, key)),
    server: status !== 400,
  }
}

describe('the OpenAPI document accepts what the server accepts, and nothing else:', () => {
  test.each([
    ['x'.repeat(11), false],
    ['correct horse', true],
    [`correct ${'x'.repeat(120)}`, true],
    [`correct ${'x'.repeat(121)}`, false],
  ])('the password %j', async (password, accepted) => {
    const expected = { document: accepted, server: accepted }
    expect(await verdicts('/users', { ...user, password })).toEqual(expected)
  })

  test.each([
    [' ada@example.com ', true],
    ['ada @example.com', false],
    ['ada', false],
    [`${'a'.repeat(64)}@${'b'.repeat(189)}`, true],
    [`${'a'.repeat(64)}@${'b'.repeat(190)}`, false],
  ])('the email address %j', async (email, accepted) => {
    expect(await verdicts('/users', { ...user, email })).toEqual({ document: accepted, server: accepted })
  })

  test.each([
    ['DE', true],
    ['de', false],
    ['XX', false],
    ['DEU', false],
  ])('the country %j', async (country, accepted) => {
    const body = { ...shipment, origin: { ...address, country } }
    expect(await verdicts('/shipments', body)).toEqual({ document: accepted, server: accepted })
  })

  test.each([
    ['k-1', true],
    ['"k-1"', true],
    ['"', true],
    ['""', false],
    ['a b', false],
    ['"a b"', false],
    [String.raw`"a\"b"`, true],
    ['k'.repeat(255), true],
    ['k'.repeat(256), false],
    [`"${'k'.repeat(255)}"`, true],
    [`"${'k'.repeat(256)}"`, false],
    [`"${String.raw`\\`.repeat(255)}"`, true],
    [`"${String.raw`\\`.repeat(256)}"`, false],
    [String.raw`"\a"`, true],
  ])('the Idempotency-Key %s', async (key, accepted) => {
    expect(await verdicts('/shipments', shipment, key)).toEqual({ document: accepted, server: accepted })
  })
})
