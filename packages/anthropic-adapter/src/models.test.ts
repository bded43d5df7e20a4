import { embedder, scripted, fakeTextModel } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

describe('the models of the Anthropic surface', () => {
  test('the models of the Anthropic surface are those that can answer, in the form of the API', async () => {
    const { ask } = await serve({ providers: [scripted('calm', 'hi'), embedder('vectors')] })
    const { json } = await ask('/v1/models?limit=1000&beta=true')
    expect(json).toEqual({
      data: [
        {
          type: 'model',
          id: 'any',
          display_name: 'Any',
          created_at: '1970-01-01T00:00:00Z',
          lifecycle: 'active',
          deprecated_at: null,
          retires_at: null,
          line: null,
          max_input_tokens: null,
          max_tokens: 200,
          capabilities: null,
        },
      ],
      has_more: false,
      first_id: 'any',
      last_id: 'any',
    })
  })

  test('the models of the Anthropic surface can be read one by one, and are a 404 in the form of the API for an unknown id', async () => {
    const { ask } = await serve({ providers: [scripted('calm', 'hi')] })
    expect((await ask('/v1/models/calm/any')).json).toMatchObject({ type: 'model', id: 'any' })
    expect(await ask('/v1/models/none')).toMatchObject({
      status: 404,
      json: { type: 'error', error: { type: 'not_found_error' }, request_id: expect.any(String) },
    })
  })

  test('the models of the Anthropic surface are suggested for an id that is probably meant for one', async () => {
    const { ask } = await serve({
      providers: [{ ...scripted('calm', 'hi'), models: [fakeTextModel({ id: 'claude-9' })] }],
    })
    const message = 'There is no model "claude9". Did you mean "claude-9"?'
    expect(await ask('/v1/models/claude9')).toMatchObject({ json: { error: { message } } })
    const content = [{ role: 'user', content: 'Hi' }]
    expect(await ask('/v1/messages', { model: 'claude9', max_tokens: 9, messages: content })).toMatchObject({
      json: { error: { message: 'model: unknown model "claude9"; did you mean "claude-9"?' } },
    })
  })
})
