import OpenAI, { APIError, BadRequestError } from 'openai'
import { zodTextFormat } from 'openai/helpers/zod'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { pixel, scripted, serveModels, weatherSchema, weatherScript } from '../testing/serve-models.ts'

async function connect() {
  const { baseURL, apiKey } = await serveModels()
  return new OpenAI({ baseURL, apiKey, maxRetries: 0 })
}

type Input = OpenAI.Responses.ResponseInputItem[]

const model = 'mirror'
const tools: OpenAI.Responses.FunctionTool[] = [
  { type: 'function', name: 'get_weather', parameters: { ...weatherSchema }, strict: true },
]
const person = z.object({ name: z.string(), born: z.int() })

describe('responses of openai for Node', () => {
  test('responses of openai for Node have a text', async () => {
    const client = await connect()
    const response = await client.responses.create({ model, instructions: 'Be brief.', input: 'Hello there' })
    expect(response).toMatchObject({ status: 'completed', output_text: 'Hello there', error: null })
    expect(response.usage?.total_tokens).toBeGreaterThan(0)
  })

  test('responses of openai for Node are streamed with responses.stream', async () => {
    const client = await connect()
    const snapshots: string[] = []
    const stream = client.responses
      .stream({ model, input: scripted('reasoning: Let me see.', 'reply: Hello there') })
      .on('response.output_text.delta', ({ snapshot }) => snapshots.push(snapshot))
    const response = await stream.finalResponse()
    expect(response).toMatchObject({ status: 'completed', output_text: 'Hello there' })
    expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message'])
    expect(snapshots.at(-1)).toBe('Hello there')
  })

  test.each([false, true])(
    'responses of openai for Node call tools in parallel, and continue with their results (stream: %s)',
    async (stream) => {
      const client = await connect()
      const input: Input = [{ role: 'user', content: weatherScript }]
      const next = (): Promise<Pick<OpenAI.Responses.Response, 'output' | 'output_text'>> => {
        const request = { model, input, tools, store: false }
        return stream ? client.responses.stream(request).finalResponse() : client.responses.create(request)
      }
      const { output } = await next()
      const calls = output.filter((item) => item.type === 'function_call')
      expect(calls.map(({ arguments: json }) => JSON.parse(json))).toEqual([{ city: 'Oslo' }, { city: 'Lima' }])
      input.push(...(output as Input))
      for (const { call_id } of calls) input.push({ type: 'function_call_output', call_id, output: 'Rain' })
      expect((await next()).output_text).toBe('Lima is warmer.')
    },
  )

  test.each([false, true])('responses of openai for Node are parsed by their schema (stream: %s)', async (stream) => {
    const client = await connect()
    const request = { model, input: 'Who wrote Faust?', text: { format: zodTextFormat(person, 'person') } }
    const response = stream
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.parse(request)
    expect(person.parse(response.output_parsed)).toEqual(response.output_parsed)
  })

  test('responses of openai for Node read images', async () => {
    const client = await connect()
    const content = [
      { type: 'input_text' as const, text: 'What is this?' },
      { type: 'input_image' as const, image_url: pixel, detail: 'auto' as const },
    ]
    const { output_text } = await client.responses.create({ model, input: [{ role: 'user', content }] })
    expect(output_text).toContain('[image/png, 70 bytes]')
  })

  test('responses of openai for Node that are cut off are incomplete', async () => {
    const client = await connect()
    const request = { model, input: 'one two three four', max_output_tokens: 2 }
    const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output_text: 'one two' }
    expect(await client.responses.create(request)).toMatchObject(cut)
    expect(await client.responses.stream(request).finalResponse()).toMatchObject(cut)
  })

  test('responses of openai for Node throw when nothing can continue a stored response', async () => {
    const client = await connect()
    const continued = client.responses.create({ model, input: 'Hi', previous_response_id: 'resp_1' })
    await expect(continued).rejects.toMatchObject({
      constructor: BadRequestError,
      param: 'previous_response_id',
    })
  })

  test('responses of openai for Node throw when a stream fails midway', async () => {
    const client = await connect()
    const input = scripted('reply: one two three four', 'fail: unavailable', 'fail_after: 2')
    const types: string[] = []
    const reading = (async () => {
      for await (const { type } of await client.responses.create({ model, input, stream: true })) types.push(type)
    })()
    await expect(reading).rejects.toBeInstanceOf(APIError)
    expect(types).toContain('response.output_text.delta')
    expect(types).not.toContain('response.completed')
    await expect(client.responses.stream({ model, input }).finalResponse()).rejects.toBeInstanceOf(APIError)
  })
})
