import OpenAI, { APIError, AuthenticationError, BadRequestError, InternalServerError, NotFoundError } from 'openai'
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { collect, pixel, scripted, serveModels, weatherSchema, weatherScript } from '../testing/serve-models.ts'

async function connect(options: ConstructorParameters<typeof OpenAI>[0] = {}) {
  const served = await serveModels()
  return {
    ...served,
    client: new OpenAI({ baseURL: served.baseURL, apiKey: served.apiKey, maxRetries: 0, ...options }),
  }
}

const ask = (content: string) => ({ model: 'mirror', messages: [{ role: 'user' as const, content }] })

const tool = {
  type: 'function',
  function: { name: 'get_weather', parameters: weatherSchema as unknown as Record<string, unknown> },
} as const

const person = z.object({ name: z.string(), born: z.int() })

describe('openai for Node', () => {
  test('openai for Node gets a text', async () => {
    const { client } = await connect()
    const { data, request_id: requestId } = await client.chat.completions.create(ask('Hello there')).withResponse()
    expect(data.choices[0]).toMatchObject({ message: { content: 'Hello there' }, finish_reason: 'stop' })
    expect(data.usage?.total_tokens).toBe(4)
    expect(requestId).toMatch(/^req_/)
  })

  test('openai for Node reads a stream with the usage at its end', async () => {
    const { client } = await connect()
    const options = { stream: true, stream_options: { include_usage: true } } as const
    const stream = await client.chat.completions.create({ ...ask('Hello there'), ...options })
    const chunks = await collect(stream)
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Hello there')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 4 } })
  })

  test('openai for Node reads a stream with ChatCompletionStream', async () => {
    const { client } = await connect()
    const pieces: string[] = []
    const stream = client.chat.completions.stream(ask('Hello there')).on('content', (piece) => pieces.push(piece))
    expect(await stream.finalContent()).toBe('Hello there')
    expect(pieces.join('')).toBe('Hello there')
  })

  test('openai for Node gets parallel tool calls, whole and streamed', async () => {
    const { client } = await connect()
    const request = { ...ask(weatherScript), tools: [tool] }
    const { choices } = await client.chat.completions.create(request)
    const streamed = await client.chat.completions.stream(request).finalChatCompletion()
    for (const choice of [choices[0], streamed.choices[0]]) {
      expect(choice?.finish_reason).toBe('tool_calls')
      expect(choice?.message.tool_calls).toMatchObject([
        { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
        { id: 'call_2', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Lima"}' } },
      ])
    }
  })

  test.each([false, true])('openai for Node runs tools with runTools (stream: %s)', async (stream) => {
    const { client } = await connect()
    const cities: string[] = []
    const get_weather = zodFunction({
      name: 'get_weather',
      parameters: z.object({ city: z.string() }),
      function: ({ city }) => {
        cities.push(city)
        return `Rain in ${city}`
      },
    })
    const request = { ...ask(weatherScript), tools: [get_weather] }
    const runner = stream
      ? client.chat.completions.runTools({ ...request, stream })
      : client.chat.completions.runTools(request)
    expect(await runner.finalContent()).toBe('Lima is warmer.')
    expect(cities).toEqual(['Oslo', 'Lima'])
  })

  test('openai for Node parses JSON with zodResponseFormat', async () => {
    const { client } = await connect()
    const request = { ...ask('Who wrote Faust?'), response_format: zodResponseFormat(person, 'person') }
    const { choices } = await client.chat.completions.parse(request)
    expect(person.parse(choices[0]?.message.parsed)).toEqual(choices[0]?.message.parsed)
  })

  test('openai for Node sends an image', async () => {
    const { client } = await connect()
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image_url' as const, image_url: { url: pixel } },
    ]
    const { choices } = await client.chat.completions.create({ model: 'mirror', messages: [{ role: 'user', content }] })
    expect(choices[0]?.message.content).toContain('[image/png, 70 bytes]')
  })

  test('openai for Node gets the same embeddings as base64, which is its default, and as floats', async () => {
    const { client } = await connect()
    const request = { model: 'lexis', input: ['A cat', 'A dog'] }
    const { data } = await client.embeddings.create(request)
    const floats = await client.embeddings.create({ ...request, encoding_format: 'float' })
    expect(data.map(({ index }) => index)).toEqual([0, 1])
    expect(data[1]?.embedding).toEqual(floats.data[1]?.embedding.map(Math.fround))
  })

  test('openai for Node generates an image', async () => {
    const { client } = await connect()
    const { data } = await client.images.generate({
      model: 'picture',
      prompt: 'A tree',
      size: '256x256',
      response_format: 'b64_json',
    })
    expect(
      Buffer.from(data?.[0]?.b64_json ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
  })

  test('openai for Node lists models, also at the address of REST', async () => {
    const { client, url, apiKey } = await connect()
    const own = new OpenAI({ baseURL: `${url}/v1`, apiKey })
    for (const each of [client, own]) {
      expect((await collect(await each.models.list())).map(({ id }) => id)).toContain('mirror')
      expect(await each.models.retrieve('mirror')).toMatchObject({ id: 'mirror', object: 'model', owned_by: 'local' })
    }
  })

  test('openai for Node throws the class of each error', async () => {
    const { client, baseURL } = await connect()
    const stranger = new OpenAI({ baseURL, apiKey: 'fl_wrong' })
    await expect(stranger.models.list()).rejects.toBeInstanceOf(AuthenticationError)
    await expect(client.chat.completions.create({ ...ask('Hi'), model: 'none' })).rejects.toMatchObject({
      constructor: NotFoundError,
      code: 'model_not_found',
      param: 'model',
      requestID: expect.stringMatching(/^req_/),
    })
    await expect(client.chat.completions.create({ ...ask('Hi'), temperature: 9 })).rejects.toMatchObject({
      constructor: BadRequestError,
      param: 'temperature',
    })
    await expect(client.chat.completions.create(ask(scripted('fail: unavailable')))).rejects.toBeInstanceOf(
      InternalServerError,
    )
  })

  test('openai for Node throws when a stream fails midway', async () => {
    const { client } = await connect()
    const script = scripted('reply: one two three four', 'fail: unavailable', 'fail_after: 2')
    const stream = await client.chat.completions.create({ ...ask(script), stream: true })
    const pieces: string[] = []
    const reading = (async () => {
      for await (const { choices } of stream) pieces.push(choices[0]?.delta.content ?? '')
    })()
    await expect(reading).rejects.toBeInstanceOf(APIError)
    expect(pieces.join('')).toBe('one two')
    await expect(client.chat.completions.stream(ask(script)).finalContent()).rejects.toBeInstanceOf(APIError)
  })

  test('openai for Node can abort a stream, which ends the request', async () => {
    const { client, lines } = await connect()
    const stream = await client.chat.completions.create({ ...ask(scripted('tokens: 16384')), stream: true })
    const chunks: unknown[] = []
    for await (const chunk of stream) {
      chunks.push(chunk)
      stream.controller.abort()
    }
    expect(chunks.length).toBeLessThan(1_000)
    await expect.poll(() => lines.find((line) => line.includes('"aborted":true'))).toBeDefined()
  })

  test('openai for Node retries what may succeed the next time, and nothing else', async () => {
    let requests = 0
    const counted: typeof fetch = (...request) => {
      requests += 1
      return fetch(...request)
    }
    const { client } = await connect({ maxRetries: 1, fetch: counted })
    const { choices } = await client.chat.completions.create(
      ask(scripted('reply: Yes.', 'fail: timeout', 'fail_times: 1')),
    )
    expect([choices[0]?.message.content, requests]).toEqual(['Yes.', 2])
    await expect(client.chat.completions.create({ ...ask('Hi'), model: 'none' })).rejects.toThrow('none')
    expect(requests).toBe(3)
  })
})

test('openai for Node gets texts, streams and JSON of the model scribe', async () => {
  const { client } = await connect()
  const { chat, responses } = client
  const [model, input] = ['scribe', 'Write a haiku about rain']
  const request = { model, messages: [{ role: 'user' as const, content: input }], seed: 7 }
  const completion = await chat.completions.create(request)
  const text = completion.choices[0]?.message.content
  expect(text).toMatch(/\n.*\n/)
  expect(await chat.completions.stream(request).finalContent()).toBe(text)
  const { output_text } = await responses.create({ model, input })
  expect(output_text).toMatch(/\n.*\n/)
  expect((await responses.stream({ model, input }).finalResponse()).output_text).toMatch(/\n.*\n/)
  const json = await chat.completions.create({ ...request, response_format: { type: 'json_object' } })
  const response = await responses.create({ model, input, text: { format: { type: 'json_object' } } })
  expect(JSON.parse(json.choices[0]?.message.content ?? '')).toEqual({ text })
  expect(JSON.parse(response.output_text)).toEqual({ text: expect.any(String) })
})
