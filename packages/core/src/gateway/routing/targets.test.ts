import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { fakeImageModel, fakePainter, scripted, fakeTextModel, testCore } from '@fairlead/testing'
import type { NativeRequest } from '../../runtime/run/run-options.ts'
import type { Provider } from '../provider.ts'
import { estimateTokens } from './targets.ts'
import type { TextModel } from '../model.ts'
import { textSize } from '../text/prompt-size.ts'

const prompt = textSize('x'.repeat(4_000))

function target(id: string, facts: Partial<TextModel> = {}) {
  const model = { ...fakeTextModel(facts), provider: id }
  return { provider: scripted(id, 'hi'), id: model.id, model }
}

describe('estimateTokens', () => {
  test('estimateTokens counts the tokens of the prompt and of the longest answer', () => {
    const route = { targets: [target('a', { maxTokens: 200 }), target('b', { maxTokens: 500 })] } as const
    expect(estimateTokens(route, { prompt }).tokens).toBe(1_500)
    expect(estimateTokens(route, { prompt, maxTokens: 300 }).tokens).toBe(1_300)
    expect(estimateTokens(route, { prompt, maxTokens: 900 }).tokens).toBe(1_500)
  })

  test('estimateTokens takes the limit of the request for a model whose own limit is unknown', () => {
    const route = { targets: [target('a', { maxTokens: 200, maxTokensUnknown: true })] } as const
    expect(estimateTokens(route, { prompt, maxTokens: 900 }).tokens).toBe(1_900)
  })

  test('estimateTokens has the price of the dearest target', () => {
    const route = {
      targets: [
        target('cheap', { pricing: { input: 1, output: 2 } }),
        target('dear', { pricing: { input: 10, output: 20 } }),
        target('middle', { pricing: { input: 5, output: 9 } }),
      ],
    } as const
    expect(estimateTokens(route, { prompt, maxTokens: 100 })).toMatchObject({
      costUsd: (1_000 * 10 + 100 * 20) / 1e6,
      unpriced: undefined,
    })
  })

  test('estimateTokens names the first target without a price, and counts the others', () => {
    const unknown = {
      provider: scripted('c', 'hi'),
      id: 'x',
      model: { ...fakeTextModel({ id: 'x' }), pricing: undefined },
    }
    const route = { targets: [target('a', { pricing: { input: 1, output: 0 } }), unknown] } as never
    expect(estimateTokens(route, { prompt })).toMatchObject({ costUsd: 0.001, unpriced: 'c/x' })
  })
})

describe('the estimate of an operation', () => {
  /** Runs an operation with the estimate instead of the work. */
  async function estimated(
    name: 'generate' | 'countTokens' | 'embed' | 'generateImage' | 'analyze',
    input: object,
    providers: readonly Provider[],
    native?: NativeRequest,
  ) {
    const { core } = await testCore({ providers })
    const operation = operations[name]
    let found: unknown
    const run = async (...given: Parameters<NonNullable<typeof operation.estimate>>) => {
      found = operation.estimate?.(...given)
      throw new Error('estimated')
    }
    await core.run({ ...operation, run } as never, { kind: 'embedded' }, input, { native })
    return found
  }
  const pricing = { input: 2, output: 10 }
  const priced = (facts: Partial<TextModel> = {}) => ({
    ...scripted('calm', 'hi'),
    models: [fakeTextModel({ pricing, maxTokens: 1_000, chat: true, ...facts })],
  })

  test('the estimate of an operation is that of the prompt and the default length for a prompt', async () => {
    const found = await estimated('generate', { model: 'any', prompt: 'x'.repeat(400) }, [priced()])
    expect(found).toEqual({ tokens: 200, promptTokens: 100, costUsd: (100 * 2 + 100 * 10) / 1e6, unpriced: undefined })
  })

  test('the estimate of an operation has the answer as often as the client asks for it, and the prompt once', async () => {
    const native = { dialect: 'openai-chat', fields: { n: 3 }, messages: [], answers: 3 }
    const found = await estimated('generate', { model: 'any', prompt: 'x'.repeat(400) }, [priced()], native)
    expect(found).toEqual({ tokens: 400, promptTokens: 100, costUsd: (100 * 2 + 300 * 10) / 1e6, unpriced: undefined })
  })

  test('the estimate of an operation adds the prompts of one request, and tokens by their number', async () => {
    const native = {
      dialect: 'openai-completions',
      fields: {},
      messages: [],
      prompts: ['x'.repeat(40), 30],
      answers: 2,
    }
    const found = await estimated('generate', { model: 'any', prompt: 'both' }, [priced()], native)
    expect(found).toMatchObject({ promptTokens: 40, tokens: 240 })
  })

  test('the estimate of an operation is that of the longest answer for a conversation without a limit', async () => {
    const messages = [{ role: 'user', content: 'x'.repeat(400) }]
    expect(await estimated('generate', { model: 'any', messages }, [priced()])).toMatchObject({ tokens: 1_100 })
  })

  test('the estimate of an operation counts all texts of an embedding, and no answer', async () => {
    const embedder = priced({ embedding: { dimensions: 2 } })
    const found = await estimated('embed', { model: 'any', texts: ['x'.repeat(400), 'y'.repeat(40)] }, [embedder])
    expect(found).toEqual({ tokens: 110, promptTokens: 110, costUsd: (110 * 2) / 1e6, unpriced: undefined })
  })

  test('the estimate of an operation multiplies the price of an image', async () => {
    const model = fakeImageModel({ pricing: { input: 0, output: 0.04 }, maxImages: 4 })
    const provider = { ...fakePainter('draws'), models: [model] }
    const found = await estimated('generateImage', { model: 'picture', prompt: 'a cat', n: 3 }, [provider])
    expect(found).toMatchObject({ tokens: 2, costUsd: 0.12 })
  })

  test('the estimate of an operation is that of the model for an analysis with a model', async () => {
    const found = await estimated('analyze', { model: 'any', text: 'x'.repeat(4_000), tasks: ['sentiment'] }, [
      priced({ structured: true }),
    ])
    expect(found).toMatchObject({ unpriced: undefined })
    expect((found as { costUsd: number }).costUsd).toBeGreaterThan((1_000 * 2 + 1_000 * 10) / 1e6)
  })

  test('the estimate of an operation is nothing for a count of tokens', async () => {
    const messages = [{ role: 'user', content: 'hello' }]
    expect(await estimated('countTokens', { model: 'any', messages }, [priced()])).toMatchObject({ costUsd: 0 })
  })
})
