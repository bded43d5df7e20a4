import { lastPrompt } from '@fairlead/core/provider'
import { scripted } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { recording } from './testing/recording.ts'
import { forms } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  const asked = { prompt: 'greet me', model: 'any' }

  describe('POST /generate', () => {
    test('POST /generate returns the text generation result, in the envelope', async () => {
      const { ask } = await serve()
      const { status, headers, json } = await ask('POST', '/generate', { body: asked })
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(json).toEqual({
        success: true,
        data: {
          id: expect.stringMatching(/^gen_\d+$/),
          content: 'hello there',
          parts: [{ type: 'text', text: 'hello there' }],
          model: 'any',
          usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
          finish_reason: 'stop',
          created: 1773480413,
        },
        meta: {
          request_id: expect.stringMatching(/^req_\d+$/),
          timestamp: '2026-03-14T09:26:53.589Z',
          provider: 'calm',
          cost_usd: 0,
          cached: false,
          attempts: 1,
        },
      })
    })

    test.each(['/generate', '/api/v1/generate'])(
      'POST /generate keeps the result inside `data` at %s',
      async (path) => {
        const { ask } = await serve()
        const { json } = await ask('POST', path, { body: asked })
        expect(Object.keys(json)).toEqual(['success', 'data', 'meta'])
      },
    )

    test('POST /generate also has the fields of the result at the top level, in the quick-start form', async () => {
      const { ask } = await serve()
      const { json } = await ask('POST', '/v1/generate', { body: asked })
      const { success, data, meta, ...hoisted } = json
      expect(success).toBe(true)
      expect(hoisted).toEqual(data)
      expect(meta.request_id).toMatch(/^req_\d+$/)
    })

    test('POST /generate calls the model with the defaults of the interface document', async () => {
      const provider = recording()
      const { ask } = await serve({ providers: [provider] })
      await ask('POST', '/generate', { body: asked })
      expect(provider.texts).toEqual([
        {
          messages: [{ role: 'user', content: [{ type: 'text', text: 'greet me' }] }],
          model: 'any',
          maxTokens: 100,
          temperature: 0.7,
          topP: 1,
          frequencyPenalty: 0,
          presencePenalty: 0,
        },
      ])
    })

    test('POST /generate passes every parameter to the provider', async () => {
      const provider = recording()
      const { ask } = await serve({ providers: [provider] })
      const parameters = {
        max_tokens: 7,
        temperature: 0,
        top_p: 0.5,
        frequency_penalty: -2,
        presence_penalty: 2,
        seed: 4,
      }
      await ask('POST', '/generate', { body: { ...asked, ...parameters, stop: ['end'] } })
      expect(provider.texts[0]).toMatchObject({
        maxTokens: 7,
        temperature: 0,
        topP: 0.5,
        frequencyPenalty: -2,
        presencePenalty: 2,
        seed: 4,
        stop: ['end'],
      })
    })

    test('POST /generate lowers the default of max_tokens to the maximum of a small model', async () => {
      const provider = recording({ maxTokens: 50 })
      const { ask } = await serve({ providers: [provider] })
      await ask('POST', '/generate', { body: asked })
      expect(provider.texts[0]?.maxTokens).toBe(50)
    })

    test.each([
      ['max_tokens', 1],
      ['max_tokens', 200],
      ['temperature', 0],
      ['temperature', 2],
      ['top_p', 0],
      ['top_p', 1],
      ['frequency_penalty', -2],
      ['frequency_penalty', 2],
      ['presence_penalty', -2],
      ['presence_penalty', 2],
      ['seed', Number.MIN_SAFE_INTEGER],
      ['seed', Number.MAX_SAFE_INTEGER],
      ['stop', []],
      ['stop', ['a', 'b', 'c', 'd']],
      ['stream', false],
    ])('POST /generate accepts %s at the end of its range', async (field, value) => {
      const { ask } = await serve()
      expect((await ask('POST', '/generate', { body: { ...asked, [field]: value } })).status).toBe(200)
    })

    test.each([
      ['prompt', undefined, 'is required unless you send "messages"'],
      ['prompt', '', 'must not be empty'],
      ['prompt', ' \n\t', 'must not be empty'],
      ['prompt', 7, 'must be a string'],
      ['prompt', null, 'must be a string'],
      ['prompt', ['x'], 'must be a string'],
      ['model', undefined, 'is required'],
      ['model', 7, 'must be a string'],
      ['model', 'x'.repeat(201), 'must have at most 200 characters'],
      ['model', 'none', 'unknown model "none"; models of type text: any, broken'],
      ['model', 'picture', '"picture" is a model of type image; models of type text: any, broken'],
      ['max_tokens', 0, 'must be at least 1'],
      ['max_tokens', -1, 'must be at least 1'],
      ['max_tokens', 201, "must be between 1 and 200, the model's maximum"],
      ['max_tokens', 1.5, 'must be an integer'],
      ['max_tokens', '100', 'must be a number'],
      ['max_tokens', '9', 'must be a number'],
      ['temperature', -0.0001, 'must be between 0 and 2'],
      ['temperature', 2.0001, 'must be between 0 and 2'],
      ['temperature', '0.7', 'must be a number'],
      ['top_p', -0.0001, 'must be between 0 and 1'],
      ['top_p', 1.0001, 'must be between 0 and 1'],
      ['frequency_penalty', -2.0001, 'must be between -2 and 2'],
      ['frequency_penalty', 2.0001, 'must be between -2 and 2'],
      ['presence_penalty', -2.0001, 'must be between -2 and 2'],
      ['presence_penalty', 2.0001, 'must be between -2 and 2'],
      ['seed', 0.5, 'must be an integer'],
      ['stop', 'end', 'must be an array'],
      ['stop', ['a', 'b', 'c', 'd', 'e'], 'must have at most 4 entries'],
      ['stream', 'yes', 'must be a boolean'],
    ])('POST /generate rejects %s: %j', async (field, value, issue) => {
      const { ask } = await serve()
      const { status, json } = await ask('POST', '/generate', { body: { ...asked, [field]: value } })
      expect(status).toBe(400)
      expect(json).toEqual({
        success: false,
        error: {
          code: 'INVALID_REQUEST',
          message: `${field}${/^(unknown |")/.test(issue) ? ':' : ''} ${issue}`,
          details: expect.objectContaining({ field, issue, issues: [{ field, issue }] }),
        },
        meta: { request_id: expect.stringMatching(/^req_\d+$/), timestamp: '2026-03-14T09:26:53.589Z' },
      })
    })

    test('POST /generate accepts a prompt of 10,000,000 characters and rejects a longer one', async () => {
      const { ask } = await serve()
      const prompt = 'x'.repeat(10_000_000)
      expect((await ask('POST', '/generate', { body: { ...asked, prompt } })).status).toBe(200)
      const { status, json } = await ask('POST', '/generate', { body: { ...asked, prompt: `${prompt}x` } })
      expect(status).toBe(400)
      expect(json.error.message).toBe('prompt must have at most 10,000,000 characters')
    })

    test.each(['中', '🦊'])('POST /generate accepts a body of 18 MB of %s', async (character) => {
      const provider = recording()
      const { ask } = await serve({ providers: [provider] })
      // Larger than the slices in which a body is decoded, which split a character.
      const prompt = `${character}!`.repeat(Math.floor(18_000_000 / (Buffer.byteLength(character) + 1)))
      expect((await ask('POST', '/generate', { body: { ...asked, prompt } })).status).toBe(200)
      expect(lastPrompt(provider.texts[0]!) === prompt).toBe(true)
    })

    test('POST /generate rejects a prompt that cannot fit the context of the model', async () => {
      const { ask } = await serve({ providers: [recording({ contextSize: 1_000 })] })
      const { status, json } = await ask('POST', '/generate', { body: { ...asked, prompt: 'x'.repeat(16_001) } })
      expect([status, json.error.message]).toEqual([
        400,
        'prompt must have at most 16,000 characters to fit the context of 1,000 tokens of "any"',
      ])
    })

    test('POST /generate names the invalid entry of a list', async () => {
      const { ask } = await serve()
      const { json } = await ask('POST', '/generate', { body: { ...asked, stop: ['a', ''] } })
      expect(json.error.details).toMatchObject({ field: 'stop[1]', issue: 'must not be empty' })
    })

    test.each([
      ['maxTokens', 'max_tokens'],
      ['max-tokens', 'max_tokens'],
      ['max_token', 'max_tokens'],
      ['topP', 'top_p'],
      ['frequencyPenalty', 'frequency_penalty'],
      ['promt', 'prompt'],
      ['Model', 'model'],
    ])('POST /generate rejects the unknown field %s and suggests %s', async (field, meant) => {
      const { ask } = await serve()
      const { status, json } = await ask('POST', '/generate', { body: { ...asked, [field]: 1 } })
      const issue = `is not a known field; did you mean "${meant}"?`
      expect(status).toBe(400)
      expect(json.error.details).toEqual({ field, issue, issues: [{ field, issue }] })
    })

    test('POST /generate suggests nothing for a field that resembles none', async () => {
      const { ask } = await serve()
      const { json } = await ask('POST', '/generate', { body: { ...asked, api_version: 1 } })
      expect(json.error.details).toMatchObject({ field: 'api_version', issue: 'is not a known field' })
    })

    test('POST /generate lists all issues, and the first one separately too', async () => {
      const { ask } = await serve()
      const body = { model: 'any', temperature: 3, top_p: 'x', max_tokens: 0, maxTokens: 5 }
      const { json } = await ask('POST', '/generate', { body })
      const { message, details } = json.error
      expect(details.issues.map(({ field }: { field: string }) => field)).toEqual([
        'prompt',
        'max_tokens',
        'temperature',
        'top_p',
        'maxTokens',
      ])
      expect(details).toMatchObject({ field: 'prompt', issue: 'is required unless you send "messages"' })
      expect(message).toBe('prompt is required unless you send "messages" (and 4 more)')
    })

    test('POST /generate warns in meta about ignored parameters, with their wire names', async () => {
      const warnings = [{ field: 'topP', issue: 'is not honored' }]
      const { ask } = await serve({ providers: [scripted('calm', 'hi', { warnings })] })
      const { json } = await ask('POST', '/generate', { body: asked })
      expect(json.meta.warnings).toEqual([{ field: 'top_p', issue: 'is not honored' }])
    })

    test('POST /generate accepts a model with the id of its provider', async () => {
      const { ask } = await serve()
      const { status, json } = await ask('POST', '/generate', { body: { ...asked, model: 'calm/any' } })
      expect(status).toBe(200)
      expect(json.data.model).toBe('any')
    })
  })
})
