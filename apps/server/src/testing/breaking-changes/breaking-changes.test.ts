import { describe, expect, test } from 'vitest'
import type { ApiDocument, Operation, Schema } from './api-document.ts'
import { breakingChanges } from './breaking-changes.ts'

const request: Schema = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 10 }, kind: { type: 'string', enum: ['a', 'b'] } },
  required: ['name'],
  additionalProperties: false,
}
const answer: Schema = {
  type: 'object',
  properties: { id: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
  required: ['id'],
}

function document(
  { body = request, data = answer }: { readonly body?: Schema; readonly data?: Schema } = {},
  changes: Partial<Operation> = {},
): ApiDocument {
  const operation: Operation = {
    operationId: 'make',
    security: [],
    parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Request' } } },
    },
    responses: { '201': { headers: { ETag: {} }, content: { 'application/json': { schema: data } } } },
    ...changes,
  }
  return { paths: { '/things': { post: operation } }, components: { schemas: { Request: body } } }
}

const withProperties = (schema: Schema, properties: Schema['properties'], more: Partial<Schema> = {}): Schema => ({
  ...schema,
  properties: { ...schema.properties, ...properties },
  ...more,
})

describe('a document', () => {
  test.each<[string, ApiDocument]>([
    ['it is as it was', document()],
    ['a request may have one more field', document({ body: withProperties(request, { size: { type: 'integer' } }) })],
    [
      'a request may be longer',
      document({ body: withProperties(request, { name: { type: 'string', maxLength: 20 } }) }),
    ],
    ['an answer has one more field', document({ data: withProperties(answer, { at: { type: 'string' } }) })],
    ['a field of an answer is always there', document({ data: { ...answer, required: ['id', 'tags'] } })],
    [
      'there is one more parameter',
      document(
        {},
        {
          parameters: [
            ...(document().paths['/things']?.['post']?.parameters ?? []),
            { name: 'sort', in: 'query', schema: {} },
          ],
        },
      ),
    ],
  ])('a document does not break clients where %s', (_case, after) => {
    expect(breakingChanges(document(), after)).toEqual([])
  })

  test.each<[string, ApiDocument]>([
    ['POST /things is gone', { paths: {} }],
    ['is called create, not make', document({}, { operationId: 'create' })],
    ['needs a credential', document({}, { security: [{ bearer: [] }] })],
    ['the parameter limit in query is gone', document({}, { parameters: [] })],
    [
      'the parameter limit in query is required',
      document({}, { parameters: [{ name: 'limit', in: 'query', required: true, schema: { type: 'integer' } }] }),
    ],
    [
      'limit in query is string, not integer',
      document({}, { parameters: [{ name: 'limit', in: 'query', schema: { type: 'string' } }] }),
    ],
    ['body.kind is required', document({ body: { ...request, required: ['name', 'kind'] } })],
    [
      'body.size is required',
      document({ body: withProperties(request, { size: {} }, { required: ['name', 'size'] }) }),
    ],
    [
      'body.kind is not taken',
      document({ body: { ...request, properties: { name: { type: 'string', maxLength: 10 } } } }),
    ],
    ['body.kind may not be b', document({ body: withProperties(request, { kind: { type: 'string', enum: ['a'] } }) })],
    [
      'body.name has a tighter maxLength',
      document({ body: withProperties(request, { name: { type: 'string', maxLength: 5 } }) }),
    ],
    [
      'body.name has a tighter pattern',
      document({ body: withProperties(request, { name: { type: 'string', maxLength: 10, pattern: '^x' } }) }),
    ],
    ['201.id is gone', document({ data: { type: 'object', properties: { tags: answer.properties?.['tags'] ?? {} } } })],
    ['201.id may be missing', document({ data: { ...answer, required: [] } })],
    ['201.id may be null', document({ data: withProperties(answer, { id: { type: 'string', nullable: true } }) })],
    ['201.id is integer, not string', document({ data: withProperties(answer, { id: { type: 'integer' } }) })],
    [
      '201.tags[] is integer, not string',
      document({ data: withProperties(answer, { tags: { type: 'array', items: { type: 'integer' } } }) }),
    ],
    ['the answer 201 is gone', document({}, { responses: {} })],
    [
      '201 has no header ETag',
      document({}, { responses: { '201': { content: { 'application/json': { schema: answer } } } } }),
    ],
    ['201 is not application/json', document({}, { responses: { '201': { headers: { ETag: {} } } } })],
  ])('a document breaks clients where %s', (reason, after) => {
    expect(breakingChanges(document(), after)).toContainEqual(expect.stringMatching(new RegExp(`${escaped(reason)}$`)))
  })
})

describe('a document with defaults, multiples and credentials', () => {
  const schemes = { bearer: { type: 'http', scheme: 'bearer' }, cookie: { type: 'apiKey', in: 'cookie', name: 's' } }
  const guarded = (security: readonly object[], securitySchemes: Readonly<Record<string, object>> = schemes) => ({
    ...document({}, { security }),
    components: { ...document().components, securitySchemes },
  })
  const sized = (size: Schema) => document({ body: withProperties(request, { size: { type: 'integer', ...size } }) })

  test.each<[string, ApiDocument, ApiDocument]>([
    ['body.size has another default', sized({ default: 100 }), sized({ default: 200 })],
    ['body.size has another default', sized({ default: 100 }), sized({})],
    ['body.size has a tighter multipleOf', sized({}), sized({ multipleOf: 8 })],
    ['body.size has a tighter multipleOf', sized({ multipleOf: 8 }), sized({ multipleOf: 16 })],
    ['no longer accepts bearer', guarded([{ bearer: [] }]), guarded([{ cookie: [] }])],
    ['no longer accepts bearer', guarded([{ bearer: [] }]), guarded([{ bearer: [], cookie: [] }])],
    [
      'no longer accepts bearer',
      guarded([{ bearer: [] }]),
      guarded([{ bearer: [] }], { ...schemes, bearer: { type: 'http', scheme: 'basic' } }),
    ],
  ])('a document with defaults, multiples and credentials breaks clients where %s', (reason, before, after) => {
    expect(breakingChanges(before, after)).toContainEqual(expect.stringMatching(new RegExp(`${reason}$`)))
  })

  test.each<[string, ApiDocument, ApiDocument]>([
    ['a default is added', sized({}), sized({ default: 100 })],
    ['multipleOf divides the old one', sized({ multipleOf: 16 }), sized({ multipleOf: 8 })],
    ['another scheme is accepted', guarded([{ bearer: [] }]), guarded([{ bearer: [] }, { cookie: [] }])],
  ])('a document with defaults, multiples and credentials does not break clients where %s', (_case, before, after) => {
    expect(breakingChanges(before, after)).toEqual([])
  })
})

function escaped(text: string): string {
  return text.replace(/[[\]]/g, '\\$&')
}
