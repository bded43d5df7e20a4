import { scripted, testCore } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { catalog, type CatalogEntry, catalogModels, findEntry, findModel, type Publisher } from '../index.ts'

const publishers = Object.keys(catalog) as Publisher[]
const currentOf = (entries: readonly CatalogEntry[]) => entries.filter(({ earlier }) => !earlier)
const day = (text: string) => Date.parse(text)

describe.each(publishers)('the catalog of %s', (publisher) => {
  const entries: readonly CatalogEntry[] = catalog[publisher]

  test('a catalog has models that core accepts unchanged', async () => {
    const provider = { ...scripted(publisher, ''), models: catalogModels(publisher, day('2026-11-21')) }
    const { fairlead, logged } = await testCore({ providers: [provider] })
    const models = await fairlead.models.list()
    expect(models.map(({ id }) => id)).toEqual(currentOf(entries).map(({ model }) => model.id))
    expect(logged).toEqual([])
  })

  test.each(entries.map((entry) => [entry.model.id, entry] as const))(
    'a catalog has the date and the sources of %s',
    (_id, entry) => {
      expect(new Date(day(entry.checked)).toISOString().slice(0, 10)).toBe(entry.checked)
      expect(entry.sources.map((source) => new URL(source).protocol)).toEqual(entry.sources.map(() => 'https:'))
      expect(entry.model.description).toMatch(/^[A-Z].*\.$/)
    },
  )

  test('a catalog has a price for cached prompt tokens, or says that it is not known', () => {
    const silent = entries.filter(({ model, doubt = '' }) => {
      const { pricing } = model
      const isPriced = model.type === 'text' && !model.embedding && pricing !== undefined
      return isPriced && pricing.cachedInput === undefined && !doubt.includes('cached')
    })
    expect(silent.map(({ model }) => model.id)).toEqual([])
  })

  test('a catalog prices cached prompt tokens no higher than others, and cache writes no lower', () => {
    const prices = entries.flatMap(({ model: { pricing } }) =>
      pricing ? [pricing, pricing.longPrompts ?? pricing] : [],
    )
    const odd = prices.filter(
      ({ input, cachedInput = input, cacheWrite = input }) => cachedInput > input || cacheWrite < input,
    )
    expect(odd).toEqual([])
  })

  test('a catalog prices a long prompt no lower than a short one', () => {
    const odd = entries.filter(({ model }) => {
      const { input = 0, output = 0, longPrompts = { input, output } } = model.pricing ?? {}
      return longPrompts.input < input || longPrompts.output < output
    })
    expect(odd).toEqual([])
  })
})

test('catalogModels returns the same array until a price changes', () => {
  const at = (now: string) => catalogModels('google', day(now))
  expect(at('2026-11-21')).toBe(at('2026-11-30T23:59:59Z'))
  expect(at('2026-12-01')).not.toBe(at('2026-11-30T23:59:59Z'))
})

describe('an announced price', () => {
  const priceOn = (now: string) =>
    catalogModels('google', day(now)).find(({ id }) => id === 'gemini-3.8-flash')?.pricing

  test('an announced price takes effect on its first day', () => {
    expect(priceOn('2026-12-31T23:59:59Z')).toMatchObject({ input: 0.75, output: 3.75 })
    expect(priceOn('2027-01-01T00:00:00Z')).toMatchObject({ input: 1.5, output: 7.5 })
  })
})

test.each([
  ['openai', 'gpt-6'],
  ['anthropic', 'claude-'],
] as const)('%s charges 1.25 times the input price for cache writes', (publisher, prefix) => {
  const models = catalogModels(publisher, day('2026-11-22')).filter(({ id }) => id.startsWith(prefix))
  const factors = models.flatMap(({ pricing }) =>
    [pricing, pricing?.longPrompts].flatMap((prices) => (prices ? [(prices.cacheWrite ?? 0) / prices.input] : [])),
  )
  expect([...new Set(factors)]).toEqual([1.25])
})

test('a DeepSeek cache hit costs at most a thirtieth of a cache miss', () => {
  for (const { pricing } of catalogModels('deepseek', day('2026-11-22'))) {
    expect(pricing!.cachedInput! * 30).toBeLessThanOrEqual(pricing!.input)
  }
})

test('findEntry finds a model by its id', () => {
  expect(findEntry('anthropic', 'claude-haiku-5-5')?.model.maxTokens).toBe(128_000)
  expect(findEntry('anthropic', 'constructor')).toBeUndefined()
})

test.each([
  ['anthropic', 'claude-opus-5-5', { us: 1.1, fast: 2 }, 8],
  ['anthropic', 'claude-haiku-4-5', undefined, 2],
  ['openai', 'gpt-6-astra', { flex: 0.5, priority: 2, fast: 2, ultrafast: 6 }, undefined],
] as const)('%s prices the tiers and the long cache writes of %s', (publisher, id, tiers, longCacheWrite) => {
  const { pricing } = findEntry(publisher, id)!.model
  expect(pricing?.tiers).toEqual(tiers)
  expect(pricing?.longCacheWrite).toBe(longCacheWrite)
})

test('an earlier model has facts, and is listed only by the upstream', () => {
  const now = day('2026-11-23')
  expect(catalogModels('openai', now).map(({ id }) => id)).not.toContain('gpt-4o')
  expect(findModel('openai', 'gpt-4o-2024-11-20', now)).toMatchObject({ pricing: { input: 2.5 } })
  expect(findModel('openai', 'gpt-4o-2024-05-13', now)).toMatchObject({ pricing: { input: 5 }, maxTokens: 4_096 })
})

test('every id of the catalog is unique', () => {
  for (const publisher of publishers) {
    const ids = catalog[publisher].map(({ model }: CatalogEntry) => model.id)
    expect(new Set(ids).size).toBe(ids.length)
  }
})

test('the catalog of OpenAI knows the embedding model that LangChain asks for by default', () => {
  expect(findModel('openai', 'text-embedding-ada-002', day('2026-11-28'))).toMatchObject({
    embedding: { dimensions: 1_536 },
    pricing: { input: 0.1 },
  })
})
