import { describe, expect, test } from 'vitest'
import { recording } from './testing/recording.ts'
import { forms } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  const asked = { text: 'Ada built an engine.', tasks: ['sentiment', 'entities', 'keywords'] }

  describe('POST /analyze', () => {
    test('POST /analyze returns one key per task, in the envelope', async () => {
      const { ask } = await serve()
      const { status, json } = await ask('POST', '/analyze', { body: asked })
      expect(status).toBe(200)
      expect(json).toEqual({
        success: true,
        data: {
          sentiment: { score: 0.5, label: 'positive' },
          entities: [{ text: 'Ada', type: 'PERSON', confidence: 0.9 }],
          keywords: [{ text: 'engine', score: 1 }],
        },
        meta: expect.objectContaining({ provider: 'reader', cost_usd: 0 }),
      })
    })

    test.each([[['sentiment']], [['entities']], [['keywords', 'sentiment']]])(
      'POST /analyze answers %j and nothing else',
      async (tasks) => {
        const { ask } = await serve()
        const { json } = await ask('POST', '/analyze', { body: { ...asked, tasks } })
        expect(Object.keys(json.data).sort()).toEqual([...tasks].sort())
      },
    )

    test('POST /analyze also has the fields of the result at the top level, in the quick-start form', async () => {
      const { ask } = await serve()
      const { success: _, data, meta: __, ...hoisted } = (await ask('POST', '/v1/analyze', { body: asked })).json
      expect(hoisted).toEqual(data)
      const { json } = await ask('POST', '/api/v1/analyze', { body: asked })
      expect(Object.keys(json)).toEqual(['success', 'data', 'meta'])
    })

    test('POST /analyze assumes English by default', async () => {
      const provider = recording()
      const { ask } = await serve({ providers: [provider] })
      await ask('POST', '/analyze', { body: asked })
      expect(provider.analyses).toEqual([{ analyzer: 'eyes', ...asked, language: 'en' }])
    })

    test('POST /analyze picks an analyzer by name', async () => {
      const { ask } = await serve()
      expect((await ask('POST', '/analyze', { body: { ...asked, model: 'reader/eyes' } })).status).toBe(200)
    })

    test.each([
      ['text', undefined, 'text', 'is required'],
      ['text', '', 'text', 'must not be empty'],
      ['text', {}, 'text', 'must be a string'],
      ['text', 'x'.repeat(100_001), 'text', 'must have at most 100,000 characters'],
      ['tasks', undefined, 'tasks', 'is required'],
      ['tasks', [], 'tasks', 'must name at least one task'],
      ['tasks', 'sentiment', 'tasks', 'must be an array'],
      ['tasks', ['sentiment', 'sentiment'], 'tasks', 'must not name a task twice'],
      ['tasks', ['sentiment', 'mood'], 'tasks[1]', 'must be one of "sentiment", "entities", "keywords"'],
      ['tasks', [null], 'tasks[0]', 'must be one of "sentiment", "entities", "keywords"'],
      ['language', 'english', 'language', 'must be an ISO 639-1 code, such as "en"'],
      ['language', 'EN', 'language', 'must be an ISO 639-1 code, such as "en"'],
      ['language', '', 'language', 'must be an ISO 639-1 code, such as "en"'],
      ['language', 'fr', 'language', 'no analyzer supports "fr" for sentiment; supported: en'],
      ['model', 'none', 'model', 'unknown analyzer "none"; analyzers: eyes'],
    ])('POST /analyze rejects %s: %j', async (field, value, named, issue) => {
      const { ask } = await serve()
      const { status, json } = await ask('POST', '/analyze', { body: { ...asked, [field]: value } })
      expect(status).toBe(400)
      expect(json.error).toMatchObject({ code: 'INVALID_REQUEST', details: { field: named, issue } })
    })

    test('POST /analyze lists the languages of a task that does not support the requested one', async () => {
      const { ask } = await serve()
      const { status } = await ask('POST', '/analyze', { body: { ...asked, tasks: ['keywords'], language: 'de' } })
      expect(status).toBe(200)
      const { json } = await ask('POST', '/analyze', { body: { ...asked, tasks: ['keywords'], language: 'fr' } })
      expect(json.error.message).toBe('language: no analyzer supports "fr" for keywords; supported: en, de')
    })
  })
})
