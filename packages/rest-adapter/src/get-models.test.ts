import { describe, expect, test } from 'vitest'
import { fakeImageModel, fakeTextModel } from '@fairlead/testing'
import { recording } from './testing/recording.ts'
import { forms } from './testing/serve.ts'

const none = {
  streaming: false,
  seed: false,
  chat: false,
  tools: false,
  vision: false,
  structured: false,
  reasoning: false,
  web_search: false,
}

describe.each(forms)('%s', (_form, serve) => {
  const any = {
    id: 'any',
    name: 'Any',
    type: 'text',
    description: 'Returns the text of a test.',
    max_tokens: 200,
    pricing: { input: 0, output: 0 },
    provider: 'calm',
    capabilities: { ...none, streaming: true },
  }

  describe('GET /models', () => {
    test.each(['/models', '/api/v1/models'])(
      'GET /models answers with an array of model records at %s',
      async (path) => {
        const { ask } = await serve()
        const { status, json } = await ask('GET', path)
        expect(status).toBe(200)
        expect(Object.keys(json)).toEqual(['success', 'data', 'meta'])
        expect(json.data[0]).toEqual(any)
        expect(json.data[1]).toMatchObject({
          id: 'picture',
          type: 'image',
          capabilities: { ...none, sizes: ['1024x1024', '256x256'] },
        })
        expect(Object.keys(json.meta)).toEqual(['request_id', 'timestamp'])
      },
    )

    test('GET /models also has the form of OpenAI at /v1/models', async () => {
      const { ask, clock } = await serve()
      const created = Math.floor(clock.now() / 1000)
      const { status, json } = await ask('GET', '/v1/models')
      expect(status).toBe(200)
      expect(Object.keys(json)).toEqual(['success', 'data', 'meta', 'object'])
      expect(json.object).toBe('list')
      expect(json.data[0]).toEqual({ ...any, object: 'model', created, owned_by: 'calm' })
    })

    test('GET /models has errors of both forms at /v1/models', async () => {
      const { ask } = await serve()
      const error = { code: 'UNAUTHORIZED', message: expect.any(String), details: expect.any(Object) }
      const send = async (path: string) => (await ask('GET', path, { headers: { authorization: undefined } })).json
      expect((await send('/models')).error).toEqual(error)
      expect((await send('/v1/models')).error).toEqual({ ...error, type: 'invalid_request_error', param: null })
    })

    test.each([
      ['text', ['any', 'broken']],
      ['image', ['picture', 'broken-picture']],
    ])('GET /models lists only models of type %s', async (type, ids) => {
      const { ask } = await serve()
      const { json } = await ask('GET', `/models?type=${type}`)
      expect(json.data.map(({ id }: { id: string }) => id)).toEqual(ids)
    })

    test.each([
      ['type=video', 'type', 'must be one of "text", "image"'],
      ['type=', 'type', 'must be one of "text", "image"'],
      ['type=text&type=image', 'type', 'must be one of "text", "image"'],
      ['type=text?', 'type', 'must be one of "text", "image"'],
      ['typ=text', 'typ', 'is not a known field; did you mean "type"?'],
      ['page=2', 'page', 'is not a known field'],
      ['type=%00', 'type', 'must not contain NUL characters'],
    ])('GET /models rejects ?%s with 400', async (query, field, issue) => {
      const { ask } = await serve()
      const { status, json } = await ask('GET', `/models?${query}`)
      expect(status).toBe(400)
      expect(json.error.details).toMatchObject({ field, issue })
    })
  })

  describe('GET /models/{id}', () => {
    const slashed = {
      ...recording(),
      id: 'local',
      models: [fakeTextModel({ id: 'scribe' }), fakeImageModel({ id: 'a/b c' })],
    }

    test.each([
      ['/models/scribe', 'scribe'],
      ['/v1/models/scribe', 'scribe'],
      ['/api/v1/models/scribe', 'scribe'],
      ['/models/local%2Fscribe', 'scribe'],
      ['/models/a%2Fb%20c', 'a/b c'],
      ['/models/%73cribe', 'scribe'],
    ])('GET /models/{id} returns the model at %s', async (path, id) => {
      const { ask } = await serve({ providers: [slashed] })
      const { status, json } = await ask('GET', path)
      expect(status).toBe(200)
      expect(json.data.id).toBe(id)
    })

    test('GET /models/{id} also has the form of OpenAI, and all fields at the top level, at /v1/models/{id}', async () => {
      const { ask, clock } = await serve()
      const created = Math.floor(clock.now() / 1000)
      const { success, data, meta, ...hoisted } = (await ask('GET', '/v1/models/any')).json
      expect([success, meta.request_id]).toEqual([true, expect.any(String)])
      expect(data).toEqual({ ...any, object: 'model', created, owned_by: 'calm' })
      expect(hoisted).toEqual(data)
    })

    test('GET /models/{id} has errors of both forms at /v1/models/{id}', async () => {
      const { ask } = await serve()
      const { status, json } = await ask('GET', '/v1/models/none')
      expect(status).toBe(404)
      expect(json.error).toMatchObject({ code: 'NOT_FOUND', type: 'invalid_request_error', param: null })
    })

    test('GET /models/{id} returns the capabilities of the model', async () => {
      const able = fakeTextModel({ id: 'able', structured: true, contextSize: 8_192, seed: true, tools: true })
      const { ask } = await serve({ providers: [{ ...recording(), models: [able] }] })
      const { json } = await ask('GET', '/models/able')
      const capabilities = { ...none, seed: true, chat: true, tools: true, structured: true, context_size: 8_192 }
      expect(json.data.capabilities).toEqual(capabilities)
    })

    test('GET /models/{id} returns the dimensions of an embedding model', async () => {
      const embedding = { dimensions: 1_024, minDimensions: 256, maxTexts: 96 }
      const { ask } = await serve({ providers: [{ ...recording(), models: [fakeTextModel({ embedding })] }] })
      const { json } = await ask('GET', '/models/any')
      const capabilities = { ...none, embedding: { dimensions: 1_024, min_dimensions: 256 } }
      expect(json.data.capabilities).toEqual(capabilities)
    })

    test('GET /models/{id} returns 404 for an unknown model', async () => {
      const { ask } = await serve()
      const { status, json } = await ask('GET', '/models/none')
      expect(status).toBe(404)
      expect(json.error).toEqual({
        code: 'NOT_FOUND',
        message: 'There is no model "none".',
        details: { field: null, issue: null, issues: [], reason: 'model_not_found' },
      })
    })

    test('GET /models/{id} suggests the model that an unknown id was probably meant for', async () => {
      const { ask } = await serve({ providers: [{ ...recording(), models: [fakeTextModel({ id: 'gpt-5.4' })] }] })
      const { json } = await ask('GET', '/models/gpt-54')
      expect(json.error.message).toBe('There is no model "gpt-54". Did you mean "gpt-5.4"?')
    })

    test.each(['/models/local/scribe', '/models/', '/models/%', '/models/%zz', '/models/%ff', '/models/a%2'])(
      'GET /models/{id} answers 404 for the path %s',
      async (path) => {
        const { ask } = await serve({ providers: [slashed] })
        expect((await ask('GET', path)).status).toBe(404)
      },
    )

    test('GET /models/{id} rejects query parameters', async () => {
      const { ask } = await serve()
      const { status, json } = await ask('GET', '/models/any?type=text')
      expect([status, json.error.details.field]).toEqual([400, 'type'])
    })

    test('GET /models/{id} rejects an id in the query', async () => {
      const { ask } = await serve()
      const { status, json } = await ask('GET', '/models/any?id=picture')
      expect([status, json.error.details.field]).toEqual([400, 'id'])
    })
  })
})
