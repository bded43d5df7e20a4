import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProviderCall } from '@fairlead/core/provider'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tinyModel } from '../tiny-model/tiny-model.ts'
import { whyNotHere } from '../tiny-model/why-not-here.ts'
import { llamaCpp } from './llama-cpp.ts'
import type { LlamaCppProvider } from './options.ts'

const call: ProviderCall = { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1' }

// That continuous integration has the binary is another test's to demand.
describe.skipIf(await whyNotHere())('an embedding model of llamaCpp', () => {
  let folder: string
  let provider: LlamaCppProvider

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairlead-llama-embedder-'))
    const path = join(folder, 'tiny-embedder.gguf')
    await writeFile(path, tinyModel({ embeds: true }))
    provider = llamaCpp({ path })
  })

  afterAll(async () => {
    await provider.close()
    await rm(folder, { recursive: true })
  })

  const embed = (texts: readonly string[], about: Partial<ProviderCall> = {}) =>
    provider.embed({ model: 'tiny-embedder', texts }, { ...call, ...about })

  test('an embedding model of llamaCpp is listed with the length of its vectors and generates nothing', async () => {
    const models = typeof provider.models === 'function' ? await provider.models(call) : []
    expect(models).toMatchObject([{ type: 'text', id: 'tiny-embedder', embedding: { dimensions: 32 } }])
    expect(models[0]).not.toHaveProperty('chat')
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'bade' }] }] as const
    await expect(provider.generateText({ model: 'tiny-embedder', messages }, call)).rejects.toMatchObject({
      failure: 'invalid_request',
      field: 'model',
    })
  })

  test('an embedding model of llamaCpp returns a vector of length 1 for each text, the same one for the same text', async () => {
    const { embeddings, promptTokens } = await embed(['bade fogu', 'lomi', 'bade fogu', ''])
    expect(embeddings.map(({ length }) => length)).toEqual([32, 32, 32, 32])
    for (const vector of embeddings) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    expect(embeddings[2]).toEqual(embeddings[0])
    expect(embeddings[1]).not.toEqual(embeddings[0])
    // The beginning of text, "▁ba", "de", "▁fo", "gu"; the beginning, "▁lo", "mi"; the beginning and a space.
    expect(promptTokens).toBeGreaterThanOrEqual(5 + 3 + 5 + 2)
  })

  test('an embedding model of llamaCpp rejects a text that exceeds the context, by its index', async () => {
    await expect(embed(['bade', 'bade '.repeat(300)])).rejects.toMatchObject({ failure: 'too_long', field: 'texts[1]' })
  })

  test('an embedding model of llamaCpp stops when the caller leaves, and continues with the next call', async () => {
    const leaving = new AbortController()
    const left = embed(
      Array.from({ length: 2_000 }, () => 'bade fogu '.repeat(50)),
      { signal: leaving.signal },
    )
    setImmediate(() => leaving.abort(new Error('the caller left')))
    await expect(left).rejects.toThrow('the caller left')
    expect((await embed(['bade'])).embeddings).toHaveLength(1)
  })
})
