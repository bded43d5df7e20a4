import { describe, expect, test } from 'vitest'
import { replyingWith } from './testing/ask-replying.ts'

const openai = (error: object) => ({
  error: { message: 'It is so.', type: 'invalid_request_error', param: null, code: null, ...error },
})

describe('an error', () => {
  test.each<[string, number, unknown, object]>([
    [
      'OpenAI: a wrong value',
      400,
      openai({ param: 'temperature', code: 'unsupported_value' }),
      { failure: 'invalid_request', field: 'temperature', detail: 'It is so.' },
    ],
    [
      'OpenAI: a wrong message',
      400,
      openai({ param: 'messages[0].content' }),
      { failure: 'invalid_request', field: 'messages' },
    ],
    [
      'OpenAI: too long a prompt',
      400,
      openai({ param: 'messages', code: 'context_length_exceeded' }),
      { failure: 'too_long', field: 'messages', detail: 'It is so.' },
    ],
    ...[
      'The input (149290 tokens) is longer than the model’s context length (104857 tokens).',
      "This model's maximum context length is 131072 tokens. However, you requested 141403 tokens.",
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      'the request exceeds the available context size, try increasing it',
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
    ].map((message): [string, number, unknown, object] => [
      `a server without a code for it: ${message}`,
      400,
      { error: { message, type: 'BadRequestError', param: null, code: 400 } },
      { failure: 'too_long', field: 'messages', detail: message },
    ]),
    [
      'a server error that mentions the context',
      500,
      openai({ message: 'context length: internal error' }),
      { failure: 'retry' },
    ],
    [
      'llama.cpp: too long a prompt',
      400,
      { error: { code: 400, message: 'It is so.', type: 'exceed_context_size_error', n_prompt_tokens: 9, n_ctx: 8 } },
      { failure: 'too_long', field: 'messages' },
    ],
    ['OpenAI: a wrong key', 401, openai({ code: 'invalid_api_key' }), { failure: 'credential' }],
    [
      'OpenAI: a country that is not served',
      403,
      openai({ code: 'unsupported_country_region_territory' }),
      { failure: 'credential' },
    ],
    ['OpenAI: an unknown model', 404, openai({ code: 'model_not_found' }), { failure: 'give_up' }],
    [
      'OpenAI: too many requests',
      429,
      openai({ type: 'requests', code: 'rate_limit_exceeded' }),
      { failure: 'rate_limited' },
    ],
    [
      'OpenAI: an empty account',
      429,
      openai({ type: 'insufficient_quota', code: 'insufficient_quota' }),
      { failure: 'credential' },
    ],
    [
      'OpenAI: a refused picture',
      400,
      openai({ type: 'image_generation_user_error', code: 'moderation_blocked' }),
      { failure: 'content_refused', detail: 'It is so.' },
    ],
    ['OpenAI: a refused prompt', 400, openai({ code: 'invalid_prompt' }), { failure: 'content_refused' }],
    ['OpenAI: its own fault', 500, openai({ type: 'server_error' }), { failure: 'retry' }],
    ['OpenAI: overload', 503, openai({ type: 'server_error' }), { failure: 'retry' }],
    ['a server at its limit', 429, openai({ type: 'server_error' }), { failure: 'rate_limited' }],
    ['a gateway whose upstream was too slow', 504, openai({ type: 'server_error' }), { failure: 'timeout' }],
    [
      'Azure: its filter',
      400,
      openai({ code: 'content_filter', param: 'prompt' }),
      { failure: 'content_refused', field: 'prompt' },
    ],
    ['Azure: an unknown deployment', 404, openai({ code: 'DeploymentNotFound' }), { failure: 'give_up' }],
    [
      'Groq: no JSON came about',
      400,
      openai({ code: 'json_validate_failed', failed_generation: '{' }),
      { failure: 'retry' },
    ],
    [
      'Mistral: invalid fields',
      422,
      {
        object: 'error',
        message: {
          detail: [
            { type: 'float_type', loc: ['body', 'top_p'], msg: 'Input should be a valid number', input: 'secret' },
            { type: 'extra_forbidden', loc: ['body', 'messages', 0, 'name'], msg: 'Extra inputs are not permitted' },
          ],
        },
        type: 'invalid_request_error',
      },
      {
        failure: 'invalid_request',
        field: 'topP',
        detail: 'top_p: Input should be a valid number; messages.0.name: Extra inputs are not permitted',
      },
    ],
    [
      'Mistral: invalid fields as a list',
      422,
      {
        object: 'Error',
        message: [
          { type: 'extra_forbidden', loc: ['body', 'tools'], msg: 'Extra inputs are not permitted', input: [] },
        ],
        type: 'invalid_request_error',
        code: 3001,
      },
      { failure: 'invalid_request', detail: 'tools: Extra inputs are not permitted' },
    ],
    [
      'Mistral: an invalid field, without an envelope',
      422,
      { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required', input: { model: 'x' } }] },
      { failure: 'invalid_request', field: 'messages', detail: 'messages: Field required' },
    ],
    [
      'Mistral: invalid fields as text',
      422,
      {
        object: 'error',
        message: '{"detail":[{"loc":["body","frequency_penalty"],"msg":"Extra inputs are not permitted"}]}',
        code: '1000',
      },
      {
        failure: 'invalid_request',
        field: 'frequencyPenalty',
        detail: 'frequency_penalty: Extra inputs are not permitted',
      },
    ],
    [
      'Mistral: a message of its own',
      400,
      { object: 'error', message: 'It is so.', type: 'invalid_model', param: null, code: '1500' },
      { failure: 'give_up', field: 'model', detail: 'It is so.' },
    ],
    [
      'DeepSeek: an empty account',
      402,
      openai({ type: 'unknown_error', code: 'invalid_request_error' }),
      { failure: 'credential' },
    ],
    [
      'OpenRouter: moderation',
      403,
      { error: { code: 403, message: 'It is so.', metadata: { reasons: ['violence'], flagged_input: 'x' } } },
      { failure: 'content_refused' },
    ],
    [
      'OpenRouter: an error sent as a success',
      200,
      { error: { code: 429, message: 'It is so.' } },
      { failure: 'rate_limited' },
    ],
    [
      'OpenRouter: a breakdown sent as a success',
      200,
      { error: { code: 502, message: 'It is so.' } },
      { failure: 'retry' },
    ],
    [
      'vLLM: FastAPI’s words',
      422,
      { detail: [{ loc: ['body', 'messages'], msg: 'Field required' }] },
      { failure: 'invalid_request', field: 'messages', detail: 'messages: Field required' },
    ],
    ['Ollama: an unknown model', 404, openai({ type: 'not_found_error' }), { failure: 'give_up' }],
    ['LM Studio: a bare sentence', 400, { error: 'It is so.' }, { failure: 'invalid_request', detail: 'It is so.' }],
    [
      'xAI: its guidelines',
      403,
      { code: 'permission denied', error: 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO' },
      { failure: 'content_refused' },
    ],
    [
      'xAI: a bare sentence with a code',
      400,
      { code: 'Client specified an invalid argument', error: 'It is so.' },
      { failure: 'invalid_request', detail: 'It is so.' },
    ],
    [
      'Gemini’s own list',
      400,
      [{ error: { code: 400, message: 'It is so.', status: 'INVALID_ARGUMENT' } }],
      { failure: 'invalid_request', detail: 'It is so.' },
    ],
    [
      'words that every object knows',
      400,
      openai({ type: 'constructor', code: 'constructor', param: 'constructor' }),
      { failure: 'invalid_request', field: undefined },
    ],
    [
      'OpenAI: an unknown model',
      404,
      openai({ message: 'The model `x` does not exist.', code: 'model_not_found' }),
      { failure: 'give_up', field: 'model', upstream: { status: 404, code: 'model_not_found' } },
    ],
    [
      'vLLM: an unknown model',
      404,
      { object: 'error', message: 'The model `x` does not exist.', type: 'NotFoundError', code: 404 },
      { failure: 'give_up', field: 'model', upstream: { status: 404, code: undefined } },
    ],
    [
      'OpenRouter: an unknown model',
      400,
      openai({ message: 'x is not a valid model ID', code: 400 }),
      { field: 'model' },
    ],
    ['another path', 404, openai({ message: 'Not Found' }), { failure: 'give_up', field: undefined }],
    [
      'OpenAI: a code and a parameter',
      400,
      openai({ message: 'No.', code: 'invalid_image_url', param: 'messages[0].content[1].image_url' }),
      { upstream: { status: 400, code: 'invalid_image_url', param: 'messages[0].content[1].image_url' } },
    ],
    ['a bare text', 502, 'Bad gateway', { failure: 'retry' }],
  ])('an error is classified: %s', async (_case, status, json, expected) => {
    const { write } = await replyingWith({ status, json })
    const failure = await write().catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'ProviderError', ...expected })
  })
})

describe('a rate limit', () => {
  test('a rate limit of one model does not affect the others', async () => {
    const { write, stream, upstream } = await replyingWith({ status: 429, headers: { 'retry-after': '60' }, json: {} })
    const models = ['a', 'a', 'b', 'b']
    for (const model of models) await expect(write({ model })).rejects.toMatchObject({ failure: 'rate_limited' })
    for (const model of models) await expect(stream({ model })).rejects.toMatchObject({ failure: 'rate_limited' })
    await expect(stream({ model: 'c' })).rejects.toMatchObject({ failure: 'rate_limited' })
    const asked = upstream.requests.map(({ body }) => (body as { model: string }).model)
    expect(asked).toEqual(['a', 'b', 'c'])
  })
})
