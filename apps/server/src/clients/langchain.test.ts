import { HumanMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI, DallEAPIWrapper, OpenAIEmbeddings } from '@langchain/openai'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { collect, pixel, scripted, serveModels, weatherScript } from '../testing/serve-models.ts'

async function connect(useResponsesApi = false, model = 'mirror') {
  const { baseURL, apiKey } = await serveModels()
  return new ChatOpenAI({ model, apiKey, configuration: { baseURL }, useResponsesApi, maxRetries: 0 })
}

const getWeather = tool(({ city }: { city: string }) => `Rain in ${city}`, {
  name: 'get_weather',
  schema: z.object({ city: z.string() }),
})

describe.each([
  ['chat completions', false],
  ['responses', true],
])('LangChain with %s', (_name, useResponsesApi) => {
  test('LangChain gets a text and its usage', async () => {
    const model = await connect(useResponsesApi)
    expect(await model.invoke('Hello there')).toMatchObject({
      text: 'Hello there',
      usage_metadata: { total_tokens: 4 },
    })
  })

  test('LangChain reads a stream', async () => {
    const model = await connect(useResponsesApi)
    const chunks = await collect(await model.stream('Hello there'))
    expect(chunks.map(({ text }) => text).join('')).toBe('Hello there')
    expect(chunks).toContainEqual(
      expect.objectContaining({ usage_metadata: expect.objectContaining({ total_tokens: 4 }) }),
    )
  })

  test('LangChain calls parallel tools, and continues with their results', async () => {
    const model = (await connect(useResponsesApi)).bindTools([getWeather])
    const messages: BaseMessage[] = [new HumanMessage(weatherScript)]
    const calling = await model.invoke(messages)
    expect(calling.tool_calls?.map(({ args }) => args)).toEqual([{ city: 'Oslo' }, { city: 'Lima' }])
    messages.push(calling)
    for (const call of calling.tool_calls ?? []) messages.push((await getWeather.invoke(call)) as ToolMessage)
    expect((await model.invoke(messages)).text).toBe('Lima is warmer.')
  })

  test('LangChain gets an object by its schema', async () => {
    const person = z.object({ name: z.string(), born: z.number() })
    const model = (await connect(useResponsesApi)).withStructuredOutput(person, { method: 'jsonSchema' })
    const found = await model.invoke('Who wrote Faust?')
    expect(person.parse(found)).toEqual(found)
  })

  test('LangChain sends an image', async () => {
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: pixel } },
    ]
    const { text } = await (await connect(useResponsesApi)).invoke([new HumanMessage({ content })])
    expect(text).toContain('[image/png, 70 bytes]')
  })

  test('LangChain throws errors, also in the middle of a stream', async () => {
    await expect((await connect(useResponsesApi, 'none')).invoke('Hi')).rejects.toMatchObject({ status: 404 })
    const script = scripted('reply: one two three four', 'fail: unavailable', 'fail_after: 2')
    const stream = await (await connect(useResponsesApi)).stream(script)
    await expect(collect(stream)).rejects.toThrow('provider')
  })
})

test('LangChain embeds texts', async () => {
  const { baseURL, apiKey } = await serveModels()
  const embeddings = new OpenAIEmbeddings({ model: 'lexis', apiKey, configuration: { baseURL }, maxRetries: 0 })
  const [cat, dog] = await embeddings.embedDocuments(['A cat', 'A dog'])
  expect([cat?.length, await embeddings.embedQuery('A dog')]).toEqual([dog?.length, dog])
})

test('LangChain generates an image', async () => {
  const { baseURL, apiKey } = await serveModels()
  const painter = new DallEAPIWrapper({ model: 'picture', apiKey, baseUrl: baseURL, dallEResponseFormat: 'b64_json' })
  const png = Buffer.from(await painter.invoke('A tree'), 'base64')
  expect(png.subarray(1, 4).toString()).toBe('PNG')
})
