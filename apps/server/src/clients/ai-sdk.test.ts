import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { embedMany, generateImage, generateText, isStepCount, Output, streamText, tool } from 'ai'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { collect, pixel, scripted, serveModels, weatherScript } from '../testing/serve-models.ts'

/** By the packages, of which one asks for chat completions and the other for responses. */
async function connect() {
  const { baseURL, apiKey } = await serveModels()
  const compatible = createOpenAICompatible({
    name: 'fairlead',
    baseURL,
    apiKey,
    includeUsage: true,
    supportsStructuredOutputs: true,
  })
  return { '@ai-sdk/openai-compatible': compatible, '@ai-sdk/openai': createOpenAI({ baseURL, apiKey }) }
}

const packages = ['@ai-sdk/openai-compatible', '@ai-sdk/openai'] as const
/** By default this package refers to what OpenAI stores. */
const providerOptions = { openai: { store: false } }
const maxRetries = 0

describe.each(packages)('%s', (name) => {
  test('the AI SDK gets a text and its usage', async () => {
    const model = (await connect())[name]('mirror')
    const { text, usage, finishReason } = await generateText({
      model,
      prompt: 'Hello there',
      providerOptions,
      maxRetries,
    })
    expect([text, usage.totalTokens, finishReason]).toEqual(['Hello there', 4, 'stop'])
  })

  test('the AI SDK reads a stream with reasoning', async () => {
    const model = (await connect())[name]('mirror')
    const prompt = scripted('reasoning: Let me see.', 'reply: Hello there')
    const { text, reasoningText, usage, textStream } = streamText({ model, prompt, providerOptions, maxRetries })
    expect((await collect(textStream)).length).toBeGreaterThan(1)
    expect([await text, await reasoningText]).toEqual(['Hello there', 'Let me see.'])
    expect((await usage).totalTokens).toBeGreaterThan(0)
  })

  test.each([false, true])('the AI SDK runs parallel tools to the end (stream: %s)', async (stream) => {
    const model = (await connect())[name]('mirror')
    const cities: string[] = []
    const get_weather = tool({
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => {
        cities.push(city)
        return `Rain in ${city}`
      },
    })
    const request = {
      model,
      prompt: weatherScript,
      tools: { get_weather },
      stopWhen: isStepCount(3),
      providerOptions,
      maxRetries,
    }
    const { text } = stream ? streamText(request) : await generateText(request)
    expect(await text).toBe('Lima is warmer.')
    expect(cities).toEqual(['Oslo', 'Lima'])
  })

  test('the AI SDK gets an object by its schema', async () => {
    const model = (await connect())[name]('mirror')
    const person = z.object({ name: z.string(), born: z.int() })
    const output = Output.object({ schema: person })
    const reply = await generateText({ model, prompt: 'Who wrote Faust?', output, providerOptions, maxRetries })
    expect(person.parse(reply.output)).toEqual(reply.output)
  })

  test('the AI SDK sends an image', async () => {
    const model = (await connect())[name]('mirror')
    const content = [
      { type: 'text', text: 'What is this?' } as const,
      { type: 'file', mediaType: 'image', data: pixel } as const,
    ]
    const { text } = await generateText({ model, messages: [{ role: 'user', content }], providerOptions, maxRetries })
    expect(text).toContain('[image/png, 70 bytes]')
  })

  test('the AI SDK embeds texts and generates an image', async () => {
    const provider = (await connect())[name]
    const { embeddings } = await embedMany({ model: provider.embeddingModel('lexis'), values: ['A cat', 'A dog'] })
    expect(embeddings.map((embedding) => embedding.length)).toEqual([embeddings[1]?.length, embeddings[0]?.length])
    expect(embeddings[0]?.length).toBeGreaterThan(0)
    const { image } = await generateImage({
      model: provider.imageModel('picture'),
      prompt: 'A tree',
      size: '256x256',
      providerOptions: { fairlead: { response_format: 'b64_json' } },
    })
    expect(Buffer.from(image.uint8Array).subarray(1, 4).toString()).toBe('PNG')
  })

  test('the AI SDK throws errors with their status, also in the middle of a stream', async () => {
    const provider = (await connect())[name]
    const unknown = generateText({ model: provider('none'), prompt: 'Hi', providerOptions, maxRetries })
    await expect(unknown).rejects.toMatchObject({ name: 'AI_APICallError', statusCode: 404, isRetryable: false })
    const errors: unknown[] = []
    const prompt = scripted('reply: one two three four', 'fail: unavailable', 'fail_after: 2')
    const { textStream } = streamText({
      model: provider('mirror'),
      prompt,
      providerOptions,
      maxRetries,
      onError: ({ error }) => void errors.push(error),
    })
    expect((await collect(textStream)).join('')).toBe('one two')
    expect(errors).toHaveLength(1)
  })

  test('the AI SDK can be aborted', async () => {
    const model = (await connect())[name]('mirror')
    const controller = new AbortController()
    const { textStream } = streamText({
      model,
      prompt: scripted('tokens: 16384'),
      abortSignal: controller.signal,
      providerOptions,
      maxRetries,
    })
    let pieces = 0
    for await (const piece of textStream) {
      pieces += piece.length > 0 ? 1 : 0
      controller.abort()
    }
    expect(pieces).toBeLessThan(16_384)
  })
})
