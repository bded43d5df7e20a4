import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { fakeCache } from '../testing/fake-cache.ts'
import { embedder, scripted, testClock, testCore } from '@fairlead/testing'
import { fromBase64 } from './request-embeddings.ts'
import { ProviderError } from './provider-error.ts'
import type { EmbeddingAnswer, EmbeddingRequest, Provider } from './provider.ts'

const input = { model: 'vectors', texts: ['one', 'four'] }

/** A provider whose calls are recorded. */
function recorded(facts: Parameters<typeof embedder>[1] = {}) {
  const requests: EmbeddingRequest[] = []
  const provider = embedder('calm', facts)
  const embed: Provider['embed'] = (request, call) => {
    requests.push(request)
    return provider.embed(request, call)
  }
  return { requests, provider: { ...provider, embed } }
}

/** An embedder with other answers. */
function answering(answer: (request: EmbeddingRequest) => unknown): Provider {
  return { ...embedder('odd'), embed: async (request) => answer(request) as EmbeddingAnswer }
}

describe('embed', () => {
  test('embed returns an embedding for each text, in order, with usage and cost', async () => {
    const { core, caller } = await testCore({ providers: [embedder('calm', { pricing: { input: 2, output: 0 } })] })
    const reply = await core.run(operations.embed, caller, input)
    expect(reply).toMatchObject({
      data: {
        embeddings: [
          [3, 0.5, 0.5, 0.5],
          [4, 0.5, 0.5, 0.5],
        ],
        model: 'vectors',
        usage: { promptTokens: 7, completionTokens: 0, totalTokens: 7 },
      },
      meta: { provider: 'calm', attempts: 1, costUsd: 0.000014, cached: false },
    })
    expect(reply).not.toHaveProperty('data.base64')
  })

  test('embed returns 32-bit floats in base64 on request', async () => {
    const { fairlead } = await testCore({ providers: [embedder('calm')] })
    const { embeddings, base64 = [] } = await fairlead.embed({ ...input, encoding: 'base64' })
    expect(embeddings).toEqual([])
    expect(base64.map((text) => [...fromBase64(text)])).toEqual([
      [3, 0.5, 0.5, 0.5],
      [4, 0.5, 0.5, 0.5],
    ])
  })

  test('embed charges one unit, and none for a rejected request', async () => {
    const { core, caller, stores, keyId } = await testCore({ providers: [embedder('calm')] })
    await core.run(operations.embed, caller, input)
    await core.run(operations.embed, caller, { ...input, texts: [] })
    expect(await stores.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 1 })
  })

  test.each<[string, object, string, string]>([
    ['no texts', { texts: [] }, 'texts', 'must have at least 1 entry'],
    ['a blank text', { texts: ['a', ' '] }, 'texts[1]', 'must not be empty'],
    ['2,049 texts', { texts: Array.from({ length: 2_049 }, () => 'a') }, 'texts', 'must have at most 2048 entries'],
    ['a text that is too long', { texts: ['a', 'a'.repeat(3_201)] }, 'texts[1]', 'at most 3,200 characters'],
    ['dimensions that the model lacks', { dimensions: 3 }, 'dimensions', 'must be 4 for "vectors"'],
    [
      'a reserved option with a space',
      { providerOptions: { calm: { 'model ': 'x' } } },
      'providerOptions.calm.model ',
      'cannot be set',
    ],
    ['a reserved option', { providerOptions: { calm: { input: 'x' } } }, 'providerOptions.calm.input', 'cannot be set'],
    [
      'a model that generates text',
      { model: 'any' },
      'model',
      '"any" does not embed texts; models that embed texts: vectors',
    ],
    ['an unknown model', { model: 'none' }, 'model', 'unknown model "none"; models that embed texts: vectors'],
  ])('embed rejects %s', async (_case, change, field, issue) => {
    const { core, caller } = await testCore({ providers: [embedder('calm'), scripted('writer', 'hi')] })
    const reply = await core.run(operations.embed, caller, { ...input, ...change })
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field } } })
    expect(reply).toHaveProperty('error.details.issue', expect.stringContaining(issue))
  })

  test('embed makes generate reject an embedding model, and name models that generate text', async () => {
    const { core, caller } = await testCore({ providers: [embedder('calm'), scripted('writer', 'hi')] })
    const reply = await core.run(operations.generate, caller, { model: 'vectors', prompt: 'x' })
    const issue = '"vectors" only embeds texts; models of type text: any'
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'model', issue } } })
  })

  test('embed sends dimensions only if the length is not the usual one', async () => {
    const { provider, requests } = recorded({ embedding: { dimensions: 4, minDimensions: 2 } })
    const { fairlead } = await testCore({ providers: [provider] })
    await fairlead.embed({ ...input, dimensions: 4 })
    const { embeddings } = await fairlead.embed({ ...input, dimensions: 2 })
    expect(requests.map(({ dimensions }) => dimensions)).toEqual([undefined, 2])
    expect(embeddings[0]).toEqual([3, 0.5])
  })

  test('embed splits a long list into calls that the model can take, and joins their answers', async () => {
    const { provider, requests } = recorded({ embedding: { dimensions: 4, maxTexts: 3 } })
    const { core, caller } = await testCore({ providers: [provider] })
    const texts = Array.from({ length: 20 }, (_, index) => 'x'.repeat(index + 1))
    const reply = await core.run(operations.embed, caller, { ...input, texts })
    expect(requests.map((request) => request.texts.length)).toEqual([3, 3, 3, 3, 3, 3, 2])
    expect(reply).toMatchObject({ meta: { attempts: 1 }, data: { usage: { promptTokens: 210 } } })
    expect(reply).toHaveProperty(
      'data.embeddings',
      texts.map(({ length }) => [length, 0.5, 0.5, 0.5]),
    )
  })

  test('embed has at most four calls in flight', async () => {
    let inFlight = 0
    let most = 0
    const calm = embedder('calm', { embedding: { dimensions: 4, maxTexts: 1 } })
    const embed: Provider['embed'] = async (request, call) => {
      most = Math.max(most, ++inFlight)
      await new Promise((resolve) => setImmediate(resolve))
      inFlight--
      return calm.embed(request, call)
    }
    const { fairlead } = await testCore({ providers: [{ ...calm, embed }] })
    await fairlead.embed({ ...input, texts: Array.from({ length: 30 }, () => 'a') })
    expect(most).toBe(4)
  })

  test('embed has one call in flight for a provider that limits its own capacity', async () => {
    let inFlight = 0
    const calm = embedder('calm', { embedding: { dimensions: 4, maxTexts: 1 } })
    const embed: Provider['embed'] = async (request, call) => {
      expect(++inFlight).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      inFlight--
      return calm.embed(request, call)
    }
    const { fairlead } = await testCore({ providers: [{ ...calm, embed, capacities: [{ concurrency: 2 }] }] })
    await expect(fairlead.embed({ ...input, texts: ['a', 'b', 'c'] })).resolves.toMatchObject({ model: 'vectors' })
  })

  test('embed repeats only the calls that failed', async () => {
    const { provider, requests } = recorded({ embedding: { dimensions: 4, maxTexts: 1 } })
    let failures = 1
    const embed: Provider['embed'] = (request, call) => {
      if (request.texts[0] === 'b' && failures-- > 0) {
        return Promise.reject(new ProviderError('rate_limited', 'another key', { retryAfterMs: 0 }))
      }
      return provider.embed!(request, call)
    }
    const { core, caller } = await testCore({ providers: [{ ...provider, capacities: [{ concurrency: 1 }], embed }] })
    const reply = await core.run(operations.embed, caller, { ...input, texts: ['a', 'b', 'c'] })
    expect(reply).toMatchObject({ success: true, meta: { attempts: 2 } })
    expect(requests.flatMap(({ texts }) => texts)).toEqual(['a', 'b', 'c'])
  })

  test('embed embeds all texts with one target after a fallback', async () => {
    const marked = (id: string, mark: number, failsAt: string) => {
      const provider = embedder(id, { embedding: { dimensions: 2, maxTexts: 1 } })
      const embed: Provider['embed'] = async ({ texts }) => {
        if (texts.includes(failsAt)) throw new ProviderError('give_up', 'down')
        return { embeddings: texts.map(() => [mark, mark]), promptTokens: 1 }
      }
      return { ...provider, embed }
    }
    const { core, caller } = await testCore({
      providers: [marked('first', 1, 'c'), marked('second', 2, '')],
      routes: { smart: { targets: ['first/vectors', 'second/vectors'] } },
    })
    const reply = await core.run(operations.embed, caller, { model: 'smart', texts: ['a', 'b', 'c'] })
    const all = [2, 2]
    expect(reply).toMatchObject({ data: { embeddings: [all, all, all] }, meta: { provider: 'second', attempts: 2 } })
  })

  test.each<[string, EmbeddingAnswer['embeddings']]>([
    ['too few embeddings', [[1, 2, 3, 4]]],
    [
      'an embedding of another length',
      [
        [1, 2, 3, 4],
        [1, 2, 3],
      ],
    ],
    [
      'NaN',
      [
        [1, 2, 3, 4],
        [1, 2, Number.NaN, 4],
      ],
    ],
    ['a number beyond 32 bits', [[1, 2, 3, 4], new Float32Array([1, 2, 1e39, 4])]],
    ['a text for a number', [[1, 2, 3, 4], ['1', 2, 3, 4] as unknown as number[]]],
    ['no array', [[1, 2, 3, 4], '1234' as unknown as number[]]],
  ])('embed fails if the provider returns %s', async (_case, embeddings) => {
    const { core, caller, logged } = await testCore({ providers: [answering(() => ({ embeddings }))] })
    const reply = await core.run(operations.embed, caller, input)
    expect(reply).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
    expect(String(logged[0]?.facts['error'])).toContain('violates the provider contract')
  })

  test('embed estimates the tokens if the provider does not count them, and says so', async () => {
    const provider = answering(({ texts }) => ({ embeddings: texts.map(() => [1, 2, 3, 4]) }))
    const { core, caller } = await testCore({ providers: [provider] })
    const reply = await core.run(operations.embed, caller, input)
    expect(reply).toMatchObject({ data: { usage: { promptTokens: 2 } }, meta: { warnings: [{ field: null }] } })
  })

  test('embed names the text that the provider rejects by its place in the whole list', async () => {
    const calm = embedder('calm', { embedding: { dimensions: 4, maxTexts: 2 } })
    const embed: Provider['embed'] = async (request, call) => {
      if (!request.texts.includes('bad')) return calm.embed(request, call)
      throw new ProviderError('invalid_request', 'no', { field: `texts[${request.texts.indexOf('bad')}]` })
    }
    const { core, caller } = await testCore({ providers: [{ ...calm, embed }] })
    const reply = await core.run(operations.embed, caller, { ...input, texts: ['a', 'b', 'c', 'bad', 'e'] })
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'texts[3]' } } })
  })

  test('embed names the texts if one is too long for the provider', async () => {
    const fail = async () => Promise.reject(new ProviderError('too_long', 'no'))
    const { core, caller } = await testCore({ providers: [{ ...embedder('calm'), embed: fail }] })
    expect(await core.run(operations.embed, caller, input)).toMatchObject({ error: { details: { field: 'texts' } } })
  })

  test('embed returns a cached response free of cost, in either encoding', async () => {
    const { provider, requests } = recorded({ pricing: { input: 2, output: 0 } })
    const routes = { cached: { targets: ['calm/vectors'], cache: { ttlMs: 60_000 } } }
    const { core, caller } = await testCore({ providers: [provider], routes, cache: fakeCache(testClock()) })
    const once = await core.run(operations.embed, caller, { ...input, model: 'cached' })
    const again = await core.run(operations.embed, caller, { ...input, model: 'cached' })
    const base64 = await core.run(operations.embed, caller, { ...input, model: 'cached', encoding: 'base64' })
    expect(requests).toHaveLength(1)
    expect(again).toMatchObject({ meta: { cached: true, costUsd: 0 } })
    expect(again.success && again.data).toEqual(once.success && once.data)
    expect(base64).toMatchObject({ data: { base64: [expect.any(String), expect.any(String)] }, meta: { cached: true } })
  })

  test('embed returns the stored result of an Idempotency-Key', async () => {
    const { provider, requests } = recorded()
    const { core, caller } = await testCore({ providers: [provider] })
    const once = await core.run(operations.embed, caller, input, { idempotencyKey: 'k' })
    const again = await core.run(operations.embed, caller, input, { idempotencyKey: 'k' })
    expect(again).toMatchObject({ replayed: true })
    expect(again.success && again.data).toEqual(once.success && once.data)
    expect(requests).toHaveLength(1)
  })

  test('embed does not store a large result under an Idempotency-Key, and says so', async () => {
    const { core, caller } = await testCore({ providers: [embedder('calm', { embedding: { dimensions: 1_024 } })] })
    const large = { ...input, texts: Array.from({ length: 200 }, () => 'a') }
    for (let round = 0; round < 2; round++) {
      const reply = await core.run(operations.embed, caller, large, { idempotencyKey: 'k' })
      expect(reply).toMatchObject({ success: true, meta: { attempts: 1, warnings: [{ field: 'idempotencyKey' }] } })
      expect(reply).not.toHaveProperty('replayed')
    }
    const compact = { ...large, encoding: 'base64' }
    await core.run(operations.embed, caller, compact, { idempotencyKey: 'c' })
    expect(await core.run(operations.embed, caller, compact, { idempotencyKey: 'c' })).toMatchObject({ replayed: true })
  })

  test('embed rejects a result that the transport cannot write, before it costs anything', async () => {
    const { provider, requests } = recorded({ embedding: { dimensions: 1_000 } })
    const { core, caller } = await testCore({ providers: [provider] })
    const many = { ...input, texts: Array.from({ length: 6 }, () => 'a') }
    const reply = await core.run(operations.embed, caller, many, { maxResultBytes: 100_000 })
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'texts' } } })
    expect(reply).toHaveProperty('error.details.issue', expect.stringContaining('at most 5 entries of 1000 dimensions'))
    expect(requests).toEqual([])
    const compact = { ...many, encoding: 'base64' }
    expect(await core.run(operations.embed, caller, compact, { maxResultBytes: 100_000 })).toMatchObject({
      success: true,
    })
  })
})
