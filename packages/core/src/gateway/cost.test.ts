import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { fakeImageModel, fakePainter, scripted, fakeTextModel, testCore } from '@fairlead/testing'
import { imageCost, type ImageKind, textCost } from './cost.ts'

const million = { promptTokens: 1_000_000, completionTokens: 1_000_000 }

describe('textCost', () => {
  test('textCost charges prompt and completion tokens at their own prices', () => {
    expect(textCost(fakeTextModel({ pricing: { input: 3, output: 15 } }), million)).toEqual({
      costUsd: 18,
      warnings: [],
    })
  })

  test('textCost charges cached prompt tokens at their own price, or else as input', () => {
    const usage = { ...million, cachedPromptTokens: 400_000 }
    const withCache = fakeTextModel({ pricing: { input: 3, output: 15, cachedInput: 0.5 } })
    expect(textCost(withCache, usage).costUsd).toBe(0.6 * 3 + 0.4 * 0.5 + 15)
    expect(textCost(fakeTextModel({ pricing: { input: 3, output: 15 } }), usage).costUsd).toBe(18)
  })

  test('textCost charges tokens written to the prompt cache at their own price, or else as input', () => {
    const usage = { ...million, cachedPromptTokens: 400_000, cacheWriteTokens: 500_000 }
    const withCache = fakeTextModel({ pricing: { input: 2, output: 10, cachedInput: 0.1, cacheWrite: 2.5 } })
    expect(textCost(withCache, usage).costUsd).toBe(0.1 * 2 + 0.4 * 0.1 + 0.5 * 2.5 + 10)
    expect(textCost(fakeTextModel({ pricing: { input: 2, output: 10 } }), usage).costUsd).toBe(12)
  })

  test('textCost never charges more prompt tokens than the prompt has', () => {
    const model = fakeTextModel({ pricing: { input: 1, output: 0, cachedInput: 0, cacheWrite: 2 } })
    const usage = { promptTokens: 5_000_000, completionTokens: 0, cachedPromptTokens: 4_000_000 }
    expect(textCost(model, { ...usage, cacheWriteTokens: 4_000_000 }).costUsd).toBe(2)
  })

  test('textCost is never negative, even if the provider reports more cached tokens than the prompt has', () => {
    const model = fakeTextModel({ pricing: { input: 1, output: 0, cachedInput: 0 } })
    expect(textCost(model, { promptTokens: 5, completionTokens: 0, cachedPromptTokens: 50 }).costUsd).toBe(0)
  })

  test('textCost charges the whole call at the prices for long prompts above the threshold', () => {
    const longPrompts = { above: 100_000, input: 5, output: 25 }
    const model = fakeTextModel({ pricing: { input: 1, output: 5, longPrompts } })
    const cost = (promptTokens: number) => textCost(model, { promptTokens, completionTokens: 1_000_000 }).costUsd
    expect(cost(100_000)).toBe(0.1 + 5)
    expect(cost(200_000)).toBe(1 + 25)
  })

  test('textCost charges tokens written to the prompt cache for an hour at their own price', () => {
    const usage = { ...million, completionTokens: 0, cacheWriteTokens: 600_000, longCacheWriteTokens: 200_000 }
    const pricing = { input: 2, output: 10, cacheWrite: 2.5, longCacheWrite: 4 }
    expect(textCost(fakeTextModel({ pricing }), usage).costUsd).toBeCloseTo(0.4 * 2 + 0.4 * 2.5 + 0.2 * 4)
  })

  test('textCost adds the searches of the web, at their own price in every tier', () => {
    const usage = { ...million, webSearches: 3, tiers: ['fast'] }
    const model = fakeTextModel({ id: 'a', pricing: { input: 1, output: 1, webSearch: 0.01, tiers: { fast: 2 } } })
    expect(textCost(model, usage)).toEqual({ costUsd: 4.03, warnings: [] })
    const unpriced = fakeTextModel({ id: 'a', pricing: { input: 1, output: 1 } })
    const issue = 'the price of a web search with "a" is unknown: it counts as 0'
    expect(textCost(unpriced, { ...million, webSearches: 3 })).toEqual({
      costUsd: 2,
      warnings: [{ field: null, issue }],
    })
  })

  test('textCost multiplies the factors of the tier, speed, and region that answered', () => {
    const model = fakeTextModel({ pricing: { input: 3, output: 15, tiers: { fast: 2, us: 1.1, flex: 0.5 } } })
    const cost = (...tiers: readonly string[]) => textCost(model, { ...million, tiers })
    expect(cost('fast')).toEqual({ costUsd: 36, warnings: [] })
    expect(cost('fast', 'us').costUsd).toBeCloseTo(39.6)
    expect(cost('flex').costUsd).toBe(9)
  })

  test('textCost counts an unknown tier at the standard price, with a warning', () => {
    const model = fakeTextModel({ id: 'gpt', pricing: { input: 3, output: 15 } })
    expect(textCost(model, { ...million, tiers: ['toString'] })).toEqual({
      costUsd: 18,
      warnings: [
        { field: null, issue: 'the price of the tier "toString" of "gpt" is unknown: it counts as the standard price' },
      ],
    })
  })

  test('textCost is 0 with a warning if the price is unknown', () => {
    const { pricing: _, ...model } = fakeTextModel({ id: 'mystery' })
    expect(textCost(model, million)).toEqual({
      costUsd: 0,
      warnings: [{ field: null, issue: 'the price of "mystery" is unknown: its cost counts as 0' }],
    })
  })

  test('textCost rounds away the errors of binary fractions', () => {
    const model = fakeTextModel({ pricing: { input: 0.1, output: 0.2 } })
    expect(textCost(model, { promptTokens: 1, completionTokens: 1 }).costUsd).toBe(3e-7)
  })
})

describe('imageCost', () => {
  const model = fakeImageModel({ pricing: { input: 5, output: 0.04 } })

  test('imageCost adds the price of the image and of the prompt tokens', () => {
    expect(imageCost(model, { promptTokens: 1_000 }).costUsd).toBe(0.045)
    expect(imageCost(model, {}).costUsd).toBe(0.04)
  })

  describe('of a model whose price depends on quality and size', () => {
    const images = {
      low: { '1024x1024': 0.009, '1536x1024': 0.013 },
      medium: { '1024x1024': 0.034, '1536x1024': 0.05 },
      high: { '1024x1024': 0.133, '1536x1024': 0.2 },
    }
    const priced = fakeImageModel({ pricing: { input: 5, output: 0.034, images } })
    const square = { width: 1024, height: 1024 } as const

    test.each<[number, ImageKind]>([
      [0.034, { ...square, quality: 'standard' }],
      [0.133, { ...square, quality: 'hd' }],
      [0.009, { ...square, quality: 'standard', qualityLevel: 'low' }],
      [0.2, { width: 1536, height: 1024, quality: 'hd', qualityLevel: 'high' }],
    ])('the cost of an image whose price depends on quality and size is $%d for %o', (costUsd, kind) => {
      expect(imageCost(priced, {}, 1, kind)).toEqual({ costUsd, warnings: [] })
      expect(imageCost(priced, { promptTokens: 1_000 }, 3, kind).costUsd).toBeCloseTo(3 * costUsd + 0.005, 8)
    })

    test.each<[number, ImageKind]>([
      [0.133, { ...square, quality: 'standard', qualityLevel: 'auto' }],
      [0.2, { width: 512, height: 512, quality: 'standard' }],
    ])(
      'the cost of an image whose price depends on quality and size is at most $%d for %o, whose price is unknown, with a warning',
      (costUsd, kind) => {
        const { warnings, ...cost } = imageCost(priced, {}, 1, kind)
        expect(cost).toEqual({ costUsd })
        expect(warnings).toMatchObject([{ issue: expect.stringContaining('the price of "picture" for quality') }])
      },
    )

    test('the cost of an image whose price depends on quality and size is reserved for the quality that is asked for', async () => {
      const provider = { ...fakePainter('brush'), models: [{ ...priced, sizes: ['1024x1024'] as const }] }
      const { core, addCaller } = await testCore({ providers: [provider] })
      const { credentials } = await addCaller({ user: { budgetUsd: 0.1 } })
      const draw = (qualityLevel: 'low' | 'high') =>
        core.run(operations.generateImage, credentials, { model: 'picture', prompt: 'a cat', qualityLevel })
      expect(await draw('low')).toMatchObject({ success: true, meta: { costUsd: 0.009 } })
      expect(await draw('high')).toMatchObject({ error: { code: 'BUDGET_EXCEEDED' } })
    })
  })

  test('imageCost returns the cost that the provider reports', () => {
    expect(imageCost(model, { promptTokens: 1_000, costUsd: 0.0123 })).toEqual({ costUsd: 0.0123, warnings: [] })
  })

  test('imageCost is 0 with a warning if the price is unknown', () => {
    const { pricing: _, ...unpriced } = model
    expect(imageCost(unpriced, {}).warnings).toHaveLength(1)
  })
})

describe('a model with an unknown price', () => {
  const { pricing: _, ...unpriced } = fakeTextModel()

  test('a model with an unknown price is listed with prices of 0 that are marked as unknown', async () => {
    const { core, caller } = await testCore({ providers: [{ ...scripted('calm', 'hello'), models: [unpriced] }] })
    const reply = await core.run(operations.models, caller, {})
    expect(reply).toMatchObject({ data: [{ id: 'any', pricing: { input: 0, output: 0, known: false } }] })
  })

  test('a model with an unknown price costs 0, with a warning in the response', async () => {
    const { core, caller } = await testCore({ providers: [{ ...scripted('calm', 'hello'), models: [unpriced] }] })
    const { meta } = await core.run(operations.generate, caller, { model: 'any', prompt: 'greet me' })
    expect(meta).toMatchObject({
      costUsd: 0,
      warnings: [{ field: null, issue: expect.stringContaining('price of "any"') }],
    })
  })
})

test('generateImage returns the cost that the provider reports', async () => {
  const { core, caller } = await testCore({ providers: [fakePainter('brush', { costUsd: 0.0339 })] })
  const { meta } = await core.run(operations.generateImage, caller, { model: 'picture', prompt: 'a cat' })
  expect(meta).toMatchObject({ costUsd: 0.0339 })
})
