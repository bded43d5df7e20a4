import { memoryCache } from '@fairlead/cache'
import { textAnswer } from '@fairlead/core/provider'
import { embedder, scripted, fakeTextModel } from '@fairlead/testing'
import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'
import { serveApp, type ServeAppOptions } from './testing/serve-app.ts'
import { usageMetrics } from './call-metrics.ts'

async function served(core: ServeAppOptions['core']) {
  const { ask, addCaller } = await serveApp({ core })
  const { credentials } = await addCaller({ user: { role: 'admin' } })
  return {
    async post(path: string, input: object) {
      const headers = { 'content-type': 'application/json' }
      return (await ask(path, { method: 'POST', headers, body: JSON.stringify(input) })).text()
    },
    async metrics() {
      const reply = await ask('/metrics', { headers: { authorization: `Bearer ${credentials.token}` } })
      return (await reply.text()).split('\n').filter((line) => /^fairlead_(model|http_errors)/.test(line))
    },
  }
}

const priced = fakeTextModel({ id: 'priced', pricing: { input: 1, output: 10 } })
const usage = {
  promptTokens: 1_000_000,
  completionTokens: 200_000,
  cachedPromptTokens: 400_000,
  reasoningTokens: 50_000,
}

describe('GET /metrics', () => {
  test('GET /metrics counts tokens and cost by model or route and provider, and cached responses apart', async () => {
    const provider = {
      ...scripted('vendor', ''),
      models: [priced],
      generateText: async () => textAnswer('hi', { usage }),
    }
    const { post, metrics } = await served({
      providers: [provider],
      cache: memoryCache(),
      routes: { cached: { targets: ['vendor/priced'], cache: { ttlMs: 60_000 } } },
    })
    for (let call = 0; call < 2; call++) await post('/generate', { model: 'cached', prompt: 'x', temperature: 0 })
    await post('/generate', { model: 'cached', prompt: 'another' })
    const of = 'provider="vendor",model="cached"'
    expect(await metrics()).toEqual([
      `fairlead_model_calls_total{${of},cached="true"} 1`,
      `fairlead_model_calls_total{${of},cached="false"} 2`,
      `fairlead_model_tokens_total{${of},type="input"} 2000000`,
      `fairlead_model_tokens_total{${of},type="output"} 400000`,
      `fairlead_model_cached_input_tokens_total{${of}} 800000`,
      `fairlead_model_reasoning_tokens_total{${of}} 100000`,
      `fairlead_model_cost_usd_total{${of}} 6`,
    ])
  })

  test('GET /metrics counts the tokens of embeddings', async () => {
    const { post, metrics } = await served({ providers: [embedder('vendor')] })
    await post('/embeddings', { model: 'vectors', texts: ['four'] })
    expect(await metrics()).toContain('fairlead_model_tokens_total{provider="vendor",model="vectors",type="input"} 4')
  })

  test('GET /metrics counts a failed call by its error code, without labels for a model that does not exist', async () => {
    const { post, metrics } = await served({ providers: [scripted('calm', 'hi')] })
    await post('/generate', { model: 'none', prompt: 'x' })
    await expect.poll(metrics).toEqual(['fairlead_http_errors_total{code="INVALID_REQUEST"} 1'])
  })

  test('GET /metrics has the versions of Fairlead and Node.js', async () => {
    const text = await createMetrics({ version: '1.2.3' }).text()
    expect(text).toContain(`fairlead_build_info{version="1.2.3",node="${process.version}"} 1`)
  })
})

describe('usageMetrics', () => {
  test('usageMetrics has labels for 200 models, and counts later ones as "other"', async () => {
    const registry = new Registry()
    const { callEnded } = usageMetrics(registry)
    for (let at = 0; at < 202; at++) {
      const modelCall = { provider: 'vendor', model: `model-${at}`, costUsd: 1 }
      callEnded?.({ modelCall } as unknown as Parameters<typeof callEnded>[0], 1)
    }
    const lines = (await registry.getSingleMetricAsString('fairlead_model_cost_usd_total')).split('\n')
    expect(lines.filter((line) => line.startsWith('fairlead_'))).toHaveLength(201)
    expect(lines).toContain('fairlead_model_cost_usd_total{provider="vendor",model="other"} 2')
  })
})
