import { describe, expect, test } from 'vitest'
import { pixel, serveModels } from '../testing/serve-models.ts'

const base = '/openai/v1'
const user = (content: unknown) => ({ role: 'user', content })

/** The requests of its `routers/openai.py`, `routers/images.py` and `retrieval/utils.py`. */
async function send(path: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
  const { ask } = await serveModels()
  const posted = body && { method: 'POST', body: JSON.stringify(body) }
  const response = await ask(base + path, { ...posted, headers: { 'content-type': 'application/json', ...headers } })
  const text = await response.text()
  const lines = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const ignored = response.headers.get('x-fairlead-ignored')
  return { status: response.status, ignored, json: isStream ? undefined : JSON.parse(text), lines, text }
}

describe('Open WebUI', () => {
  test('Open WebUI verifies its connection by the list of models', async () => {
    const { status, json } = await send('/models')
    expect(status).toBe(200)
    expect(json.data.map(({ id }: { id: string }) => id)).toContain('mirror')
    expect(json.data.every(({ name }: { name?: unknown }) => name !== null)).toBe(true)
  })

  test('Open WebUI gets the message of the error for a wrong key', async () => {
    const { status, json } = await send('/models', undefined, { authorization: 'Bearer fl_wrong' })
    expect([status, typeof json.error.message]).toEqual([401, 'string'])
  })

  const image = { type: 'image_url', image_url: { url: pixel } }
  const script = '```mirror\nreasoning: Hm.\nreply: At nine.\n```\nWhen?'
  const tool = {
    type: 'function',
    function: { name: 'get_time', description: 'The time', parameters: { type: 'object', properties: {} } },
  }

  test.each<[string, object, object, string | null]>([
    ['a text', { messages: [user(script)] }, { content: 'At nine.', reasoning: 'Hm.' }, null],
    [
      'all parameters of a chat',
      {
        messages: [{ role: 'system', content: 'Be brief.' }, user(script)],
        temperature: 0.8,
        top_p: 0.9,
        min_p: 0.1,
        max_tokens: 128,
        frequency_penalty: 0,
        presence_penalty: 0,
        seed: 1,
        stop: ['END'],
        logit_bias: { '50256': -100 },
        response_format: { type: 'text' },
        top_k: 40,
        repeat_penalty: 1.1,
        num_ctx: 2048,
      },
      { content: 'At nine.' },
      'min_p, logit_bias, top_k, repeat_penalty, num_ctx',
    ],
    ['an image', { messages: [user([{ type: 'text', text: 'What is this?' }, image])] }, {}, null],
    [
      'tools',
      { messages: [user('```mirror\ntool_call: get_time {}\n```\nWhen?')], tools: [tool] },
      { calls: ['get_time'], finish: 'tool_calls' },
      null,
    ],
  ])('Open WebUI streams the answer to %s', async (_case, change, expected, ignoring) => {
    const stream_options = { include_usage: true }
    const { status, ignored, lines, text } = await send('/chat/completions', {
      stream: true,
      model: 'mirror',
      stream_options,
      ...change,
    })
    const deltas = lines.flatMap(({ choices }) => choices)
    const join = (field: string) => deltas.map(({ delta }) => delta[field] ?? '').join('')
    expect([status, ignored, text.endsWith('data: [DONE]\n\n')]).toEqual([200, ignoring, true])
    expect({
      content: join('content'),
      reasoning: join('reasoning_content'),
      calls: deltas.flatMap(({ delta }) => (delta.tool_calls?.[0]?.id ? [delta.tool_calls[0].function.name] : [])),
      finish: deltas.at(-1).finish_reason,
    }).toMatchObject({ finish: 'stop', ...expected })
    expect(lines.at(-1).usage.total_tokens).toBeGreaterThan(0)
  })

  test('Open WebUI gets titles and tags without a stream', async () => {
    const task = { model: 'mirror', messages: [user('{"title": "Time"}')], stream: false, max_completion_tokens: 1_000 }
    const { status, json } = await send('/chat/completions', task)
    expect([status, json.choices[0].message.content]).toEqual([200, '{"title": "Time"}'])
  })

  test('Open WebUI embeds the parts of documents', async () => {
    const { status, json } = await send('/embeddings', { input: ['one', 'two'], model: 'lexis' })
    expect(status).toBe(200)
    expect(json.data.map(({ embedding }: { embedding: number[] }) => typeof embedding[0])).toEqual(['number', 'number'])
  })

  test.each([{ size: '1024x1024' }, { size: 'auto' }, {}])('Open WebUI gets an image of %j as data', async (size) => {
    const body = { model: 'picture', prompt: 'A harbor', n: 1, ...size, response_format: 'b64_json' }
    const { status, json } = await send('/images/generations', body)
    expect([status, typeof json.data?.[0].b64_json]).toEqual([200, 'string'])
  })

  test('Open WebUI streams from a connection of the type "responses"', async () => {
    const { status, ignored, lines } = await send('/responses', {
      stream: true,
      model: 'mirror',
      instructions: 'Be brief.',
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: script }] },
        { type: 'function_call', call_id: 'call_1', name: 'get_time', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'Nine' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: script }] },
      ],
      temperature: 0.8,
      max_output_tokens: 128,
      tools: [{ type: 'function', ...tool.function }],
    })
    expect([status, ignored]).toEqual([200, null])
    const { output, usage } = lines.at(-1).response
    expect(output.at(-1)).toMatchObject({ type: 'message', content: [{ type: 'output_text', text: 'At nine.' }] })
    expect(usage.total_tokens).toBeGreaterThan(0)
  })
})
