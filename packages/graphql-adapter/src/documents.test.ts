import { describe, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

const documents = { 'sha256:abc': 'query List { models { id } }' }

describe('the service’s own documents', () => {
  test.each([
    ['by its id', { documentId: 'sha256:abc' }],
    ['by its hash', { extensions: { persistedQuery: { version: 1, sha256Hash: 'abc' } } }],
  ])('are asked for %s', async (_how, params) => {
    const { send } = await serve({ documents, onlyDocuments: true })
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(params) }
    expect((await send(request)).json.data.models).toHaveLength(2)
  })

  test('are asked for by address, too', async () => {
    const { send } = await serve({ documents, onlyDocuments: true })
    expect((await send({ search: '?documentId=sha256:abc' })).json.data.models).toHaveLength(2)
    const { status, json } = await send({ search: '?documentId=nope' })
    expect([status, json.errors[0].message]).toEqual([400, 'There is no document with this id.'])
  })

  test('may be all that is taken', async () => {
    const { ask } = await serve({ documents, onlyDocuments: true })
    const { json, status } = await ask('{ models { name } }')
    expect([status, json.errors[0].extensions.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  test('are not there under any other id', async () => {
    const { send } = await serve({ documents })
    const body = JSON.stringify({ documentId: '__proto__' })
    const { json } = await send({ method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect(json.errors[0].message).toBe('There is no document with this id.')
    const { json: number } = await send({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"documentId": 5}',
    })
    expect(number.errors[0].message).toBe('The "documentId" must be a string.')
  })
})

describe('a document that is asked for by its hash, and that nobody registered', () => {
  const persistedQuery = { version: 1, sha256Hash: 'nope' }

  test.each([
    ['where hashes are of no use', {}, 'PersistedQueryNotSupported'],
    ['where others are known', { documents }, 'PersistedQueryNotFound'],
  ])('is refused in the words that clients go by, %s', async (_where, options, message) => {
    const { ask, send } = await serve(options)
    const { status, json } = await ask(undefined, undefined, { params: { extensions: { persistedQuery } } })
    expect([status, json.errors[0].message]).toEqual([400, message])
    const extensions = encodeURIComponent(JSON.stringify({ persistedQuery }))
    expect((await send({ search: `?extensions=${extensions}` })).json.errors[0].message).toBe(message)
  })

  test('runs once its text comes along', async () => {
    const { ask } = await serve({ documents })
    const { json } = await ask('{ models { id } }', {}, { params: { extensions: { persistedQuery } } })
    expect(json.data.models).toHaveLength(2)
  })

  test('does not run where only the service’s own are taken', async () => {
    const { ask } = await serve({ documents, onlyDocuments: true })
    const { json } = await ask('{ models { id } }', {}, { params: { extensions: { persistedQuery } } })
    expect(json.errors[0].message).toContain('Only the service’s own documents')
  })
})
