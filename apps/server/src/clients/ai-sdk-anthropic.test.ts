import { createAnthropic as createAnthropic4 } from '@ai-sdk/anthropic'
import { createAnthropic as createAnthropic3 } from '@ai-sdk/anthropic-v3'
import { generateText as generateText7, streamText as streamText7 } from 'ai'
import { generateText as generateText6, streamText as streamText6 } from 'ai-v6'
import { describe, expect, test } from 'vitest'
import { serveModels } from '../testing/serve-models.ts'

async function connect() {
  const { baseURL, apiKey } = await serveModels()
  return { apiKey, baseURL: baseURL.replace('/openai/v1', '/anthropic/v1') }
}

// The SDK prints a warning if it does not know the model and `maxOutputTokens` is absent.
const asked = { prompt: 'Hello there', maxOutputTokens: 4_096, maxRetries: 0 }
const expected = ['Hello there', 'stop', 4]

describe('AI SDK 6 with @ai-sdk/anthropic 3', () => {
  test('AI SDK 6 with @ai-sdk/anthropic 3 reads a whole text and a stream', async () => {
    const request = { model: createAnthropic3(await connect())('mirror'), ...asked }
    const { text, finishReason, usage } = await generateText6(request)
    expect([text, finishReason, usage.totalTokens]).toEqual(expected)
    const streamed = streamText6(request)
    expect([await streamed.text, await streamed.finishReason]).toEqual(expected.slice(0, 2))
  })
})

describe('AI SDK 7 with @ai-sdk/anthropic 4', () => {
  test('AI SDK 7 with @ai-sdk/anthropic 4 reads a whole text and a stream', async () => {
    const request = { model: createAnthropic4(await connect())('mirror'), ...asked }
    const { text, finishReason, usage } = await generateText7(request)
    expect([text, finishReason, usage.totalTokens]).toEqual(expected)
    const streamed = streamText7(request)
    expect([await streamed.text, await streamed.finishReason]).toEqual(expected.slice(0, 2))
  })
})
