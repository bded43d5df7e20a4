import Anthropic from '@anthropic-ai/sdk'
import { local } from '@fairlead/provider-local'
import { describe, expect, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'

/** The official client of a service with the local models. */
async function serveMirror() {
  const { url, caller } = await serveApp({ core: { providers: [local()] } })
  return new Anthropic({ baseURL: `${url}/anthropic`, apiKey: caller.token, maxRetries: 0 })
}

const said = (content: string) => [{ role: 'user' as const, content }]
const base = { model: 'mirror', max_tokens: 1_000 }
const weather = {
  name: 'get_weather',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
}
const time = { name: 'get_time', input_schema: { type: 'object' as const } }
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

describe('@anthropic-ai/sdk with a model of another provider', () => {
  test('@anthropic-ai/sdk with a model of another provider gets a message with its usage and the id of the request', async () => {
    const client = await serveMirror()
    const { data, response, request_id } = await client.messages
      .create({ ...base, system: 'Be brief.', messages: said('Hello there.') })
      .withResponse()
    expect(data).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      role: 'assistant',
      model: 'mirror',
      content: [{ type: 'text', text: 'Hello there.' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number), cache_read_input_tokens: 0 },
    })
    expect(data.usage.input_tokens).toBeGreaterThan(0)
    expect(request_id).toBe(response.headers.get('x-request-id'))
  })

  test('@anthropic-ai/sdk with a model of another provider streams raw events in the order of the API', async () => {
    const client = await serveMirror()
    const types: string[] = []
    for await (const { type } of await client.messages.create({
      ...base,
      messages: said('Hello there.'),
      stream: true,
    }))
      types.push(type)
    expect([types[0], types[1], types.slice(-3)]).toEqual([
      'message_start',
      'content_block_start',
      ['content_block_stop', 'message_delta', 'message_stop'],
    ])
  })

  test('@anthropic-ai/sdk with a model of another provider assembles the same message from a stream as from a whole reply', async () => {
    const client = await serveMirror()
    const request = {
      ...base,
      tools: [weather, time],
      messages: said(
        '---\nreasoning: Two questions.\nreply: I look.\ntool_call: get_weather {"city": "Oslo"}\ntool_call: get_time {}\n---\nWell?',
      ),
    }
    const { id: _whole, ...whole } = await client.messages.create(request)
    const { id: _streamed, ...streamed } = await client.messages.stream(request).finalMessage()
    expect(streamed).toMatchObject(whole)
    expect(whole).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'Two questions.', signature: '' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', name: 'get_weather', input: { city: 'Oslo' } },
        { type: 'tool_use', name: 'get_time', input: {} },
      ],
      stop_reason: 'tool_use',
    })
  })

  test('@anthropic-ai/sdk with a model of another provider sends the results of parallel calls, one of them failed, and gets the answer', async () => {
    const client = await serveMirror()
    const question = said('---\ntool_call: get_weather {"city": "Oslo"}\ntool_call: get_time {}\n---\nWell?')
    const tools = [weather, time]
    const { content } = await client.messages.create({ ...base, tools, messages: question })
    const results = content.flatMap((block) =>
      block.type === 'tool_use'
        ? [
            {
              type: 'tool_result' as const,
              tool_use_id: block.id,
              content: `${block.name} ran`,
              is_error: block.name === 'get_time',
            },
          ]
        : [],
    )
    const answer = await client.messages.create({
      ...base,
      tools,
      messages: [
        ...question,
        { role: 'assistant', content },
        { role: 'user', content: [...results, { type: 'text', text: 'Go on.' }] },
      ],
    })
    expect(answer).toMatchObject({ content: [{ type: 'text' }], stop_reason: 'end_turn' })
  })

  test('@anthropic-ai/sdk with a model of another provider gets a call of the tool that it demands', async () => {
    const client = await serveMirror()
    const message = await client.messages.create({
      ...base,
      tools: [time, weather],
      tool_choice: { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true },
      messages: said('Weather?'),
    })
    expect(message).toMatchObject({ content: [{ type: 'tool_use', name: 'get_weather' }], stop_reason: 'tool_use' })
  })

  test('@anthropic-ai/sdk with a model of another provider gets JSON that follows a schema', async () => {
    const client = await serveMirror()
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    }
    const message = await client.messages.parse({
      ...base,
      output_config: { format: { type: 'json_schema', schema } },
      messages: said('Who wrote Faust?'),
    })
    expect(JSON.parse(message.content[0]?.type === 'text' ? message.content[0].text : '')).toEqual({
      name: expect.any(String),
    })
  })

  test('@anthropic-ai/sdk with a model of another provider sends images and documents', async () => {
    const client = await serveMirror()
    const message = await client.messages.create({
      ...base,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
            {
              type: 'document',
              title: 'Terms',
              source: { type: 'text', media_type: 'text/plain', data: 'No smoking.' },
            },
            { type: 'text', text: 'What is this?' },
          ],
        },
      ],
    })
    expect(message).toMatchObject({ content: [{ type: 'text', text: expect.stringContaining('What is this?') }] })
  })

  test('@anthropic-ai/sdk with a model of another provider sends thinking on to a model that can reason, and back', async () => {
    const client = await serveMirror()
    const asked = { ...base, thinking: { type: 'enabled' as const, budget_tokens: 5_000 } }
    const { content } = await client.messages.create({ ...asked, messages: said('Why?') })
    expect(content).toMatchObject([
      { type: 'thinking', thinking: 'The effort is medium.' },
      { type: 'text', text: 'Why?' },
    ])
    const messages = [...said('Why?'), { role: 'assistant' as const, content }, ...said('How?')]
    expect(await client.messages.create({ ...asked, messages })).toMatchObject({ stop_reason: 'end_turn' })
  })

  test('@anthropic-ai/sdk with a model of another provider ends at max_tokens', async () => {
    const client = await serveMirror()
    const message = await client.messages.create({ ...base, max_tokens: 1, messages: said('One two three four.') })
    expect(message.stop_reason).toBe('max_tokens')
  })

  test('@anthropic-ai/sdk with a model of another provider lists models, and reads one', async () => {
    const client = await serveMirror()
    const models = []
    for await (const model of client.models.list()) models.push(model)
    expect(models.map(({ id }) => id)).toEqual(expect.arrayContaining(['mirror', 'scribe']))
    expect(models.map(({ id }) => id)).not.toContain('lexis')
    expect(await client.models.retrieve('mirror')).toMatchObject({ type: 'model', lifecycle: 'active' })
  })

  test('@anthropic-ai/sdk with a model of another provider counts tokens by an estimate', async () => {
    const client = await serveMirror()
    const few = await client.messages.countTokens({ model: 'mirror', messages: said('Hello.') })
    const more = await client.messages.countTokens({ model: 'mirror', messages: said('Hello.'), tools: [weather] })
    expect(few).toEqual({ input_tokens: 2 })
    expect(more.input_tokens).toBeGreaterThan(few.input_tokens)
  })

  test('@anthropic-ai/sdk with a model of another provider names what the model ignored', async () => {
    const client = await serveMirror()
    const { response } = await client.messages
      .create(
        {
          ...base,
          metadata: { user_id: 'ada' },
          cache_control: { type: 'ephemeral' },
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] }],
        },
        { headers: { 'anthropic-beta': 'context-1m-2025-08-07' } },
      )
      .withResponse()
    expect(response.headers.get('x-fairlead-ignored')).toBe('cache_control, metadata, anthropic-beta')
  })
})
