import type { Model } from '@fairlead/core/provider'
import { openTestUpstream, replaying, testClock, type TestUpstream } from '@fairlead/testing'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { google, type GoogleOptions } from './index.ts'

let upstream: TestUpstream
beforeEach(async () => {
  upstream = await openTestUpstream()
  return () => upstream.close()
})

const call = { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1' }

function open(json: object, options: GoogleOptions = {}) {
  upstream.answer(replaying({ json }))
  const provider = google({ apiKey: 'AIza-canary', baseUrl: `${upstream.url}/v1beta`, ...options })
  onTestFinished(() => provider.close?.())
  return provider
}

describe('the models', () => {
  test('the models are the catalog’s at the current date, or the configured ones', () => {
    const listed = (provider: ReturnType<typeof google>) => provider.models as readonly Model[]
    expect(listed(open({}, { models: 'catalog' })).map(({ id }) => id)).toContain('gemini-3.8-flash')
    expect(listed(open({}, { models: [] }))).toEqual([])
  })

  test('the models are by default the catalog’s and those that the API lists', async () => {
    const facts = { supportedGenerationMethods: ['generateContent'] }
    const models = [
      { name: 'models/gemini-from-tomorrow', ...facts },
      { name: 'models/gemini-3.8-flash-001', ...facts },
    ]
    const provider = open({ models })
    const listed = typeof provider.models === 'function' ? await provider.models(call) : []
    expect(provider.knownModels?.map(({ id }) => id)).toContain('gemini-3.8-flash')
    expect(listed.map(({ id }) => id)).toEqual([
      ...provider.knownModels!.map(({ id }) => id),
      'gemini-from-tomorrow',
      'gemini-3.8-flash-001',
    ])
    expect(listed.at(-1)).toMatchObject({ pricing: { input: 0.75 } })
    expect(listed.at(-2)).toMatchObject({ maxTokensUnknown: true })
  })

  test('the models have the current price, however old the provider is', () => {
    const clock = testClock('2026-12-31T23:59:59Z')
    const provider = open({}, { clock, models: 'catalog' })
    const price = () =>
      (provider.models as readonly Model[]).find(({ id }) => id === 'gemini-3.8-flash')?.pricing?.input
    expect(price()).toBe(0.75)
    clock.advance(1_000)
    expect(price()).toBe(1.5)
  })

  test('the models can be fetched from the API, with limits and without prices', async () => {
    const facts = { inputTokenLimit: 1_000, outputTokenLimit: 100, supportedGenerationMethods: ['generateContent'] }
    const models = [
      { name: 'models/gemini-3.8-flash', displayName: 'Gemini 3.8 Flash', ...facts },
      { name: 'models/gemini-nano-banana-2.1', displayName: 'Nano Banana 2.1', ...facts },
      { name: 'models/gemini-from-tomorrow', displayName: 'Gemini Tomorrow', ...facts },
      { name: 'models/gemini-3.1-flash-tts-preview', ...facts },
      { name: 'models/gemini-embedding-2', ...facts, supportedGenerationMethods: ['embedContent'] },
      { name: 'models/gemini-embedding-from-tomorrow', ...facts, supportedGenerationMethods: ['embedContent'] },
      { name: 'models/gemma-3-27b-it', ...facts },
    ]
    const provider = open({ models }, { models: 'fetched' })
    const listed = await (typeof provider.models === 'function' ? provider.models(call) : [])
    expect(upstream.requests.at(-1)).toMatchObject({ method: 'GET', path: '/v1beta/models?pageSize=1000' })
    expect(listed).toMatchObject([
      { id: 'gemini-3.8-flash', pricing: {} },
      { id: 'gemini-nano-banana-2.1', type: 'image' },
      { id: 'gemini-from-tomorrow', maxTokens: 100, contextSize: 1_000, chat: true, tools: true, vision: true },
      { id: 'gemini-embedding-2', embedding: { dimensions: 3_072 } },
      { id: 'gemma-3-27b-it' },
    ])
    expect(listed[4]).not.toHaveProperty('chat')
    expect(listed[2]).not.toHaveProperty('pricing')
  })
})
