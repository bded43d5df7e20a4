import Ajv from 'ajv-draft-04'
import { testCore } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { openapiDocument } from './document.ts'
import type { OpenapiDocument, SchemaObject } from './openapi-object.ts'

const { core } = await testCore()
const { sections, eventTypes } = core
const document: OpenapiDocument = await openapiDocument({
  service: { name: 'Fairlead', version: '0' },
  routes: [],
  sections,
  eventTypes,
  pages: [],
})
const webhooks = Object.entries(document['x-webhooks'] ?? {})
const ajv = new Ajv.default({ strict: false, validateFormats: false })
ajv.addSchema({ id: 'document', components: document.components } as object, 'document')

/** The first error, or null. */
function findError(schema: SchemaObject, value: unknown): string | null {
  const located = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object
  return ajv.validate(located, value) ? null : ajv.errorsText()
}

describe('the webhooks of the document', () => {
  test('the webhooks of the document are all event types of the core', () => {
    expect(webhooks.map(([type]) => type)).toEqual(eventTypes.map(({ type }) => type))
    expect(webhooks.length).toBeGreaterThan(20)
  })

  test.each(webhooks)('%s has an example that matches its schema', (type, { post }) => {
    const { schema, example } = post.requestBody!.content['application/json']!
    expect(findError(schema, example)).toBeNull()
    expect(findError(schema, { ...(example as object), type: `other.${type}` })).not.toBeNull()
    expect(findError(schema, { ...(example as object), data: {} })).not.toBeNull()
  })

  test('the webhooks of the document describe a reference in place of a large shipment', () => {
    const { schema } = document['x-webhooks']!['shipment.updated']!.post.requestBody!.content['application/json']!
    const event = { type: 'shipment.updated', timestamp: '2026-03-15T08:00:00.000Z' }
    expect(findError(schema, { ...event, data: { id: 'shp_1', version: 2, truncated: true } })).toBeNull()
  })
})
