import { describe, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

const documents = { 'sha256:abc': 'query List { models { id } }' }

describe('a persisted document', () => {
  test.each([
    ['by its id', { documentId: 'sha256:abc' }],
    ['by its hash', { extensions: { persistedQuery: { version: 1, sha256Hash: 'abc' } } }],
  ])('a persisted document runs %s', async (_how, params) => {
    const { send } = await serve({ documents, onlyDocuments: true })
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(params) }
    expect((await send(request)).json.data.models).toHaveLength(2)
  })

  test('a persisted document runs by its id in a URL', async () => {
    const { send } = await serve({ documents, onlyDocuments: true })
    expect((await send({ search: '?documentId=sha256:abc' })).json.data.models).toHaveLength(2)
    const { status, json } = await send({ search: '?documentId=nope' })
    expect([status, json.errors[0].message]).toEqual([400, 'Unknown document id.'])
  })

  test('a persisted document is the only kind accepted with onlyDocuments', async () => {
    const { ask } = await serve({ documents, onlyDocuments: true })
    const { json, status } = await ask('{ models { name } }')
    expect([status, json.errors[0].extensions.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  test('a persisted document is not found by another id', async () => {
    const { send } = await serve({ documents })
    const body = JSON.stringify({ documentId: '__proto__' })
    const { json } = await send({ method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect(json.errors[0].message).toBe('Unknown document id.')
    const { json: number } = await send({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"documentId": 5}',
    })
    expect(number.errors[0].message).toBe('The "documentId" must be a string.')
  })
})

describe('an unknown document hash', () => {
  const persistedQuery = { version: 1, sha256Hash: 'nope' }

  test.each([
    ['without persisted documents', {}, 'PersistedQueryNotSupported'],
    ['with persisted documents', { documents }, 'PersistedQueryNotFound'],
  ])(
    'an unknown document hash is rejected with the message that clients expect, %s',
    async (_where, options, message) => {
      const { ask, send } = await serve(options)
      const { status, json } = await ask(undefined, undefined, { params: { extensions: { persistedQuery } } })
      expect([status, json.errors[0].message]).toEqual([400, message])
      const extensions = encodeURIComponent(JSON.stringify({ persistedQuery }))
      expect((await send({ search: `?extensions=${extensions}` })).json.errors[0].message).toBe(message)
    },
  )

  test('an unknown document hash runs if the request has the text', async () => {
    const { ask } = await serve({ documents })
    const { json } = await ask('{ models { id } }', {}, { params: { extensions: { persistedQuery } } })
    expect(json.data.models).toHaveLength(2)
  })

  test('an unknown document hash is rejected with onlyDocuments', async () => {
    const { ask } = await serve({ documents, onlyDocuments: true })
    const { json } = await ask('{ models { id } }', {}, { params: { extensions: { persistedQuery } } })
    expect(json.errors[0].message).toContain('Only persisted documents')
  })
})
