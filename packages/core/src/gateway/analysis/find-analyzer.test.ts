import { describe, expect, test } from 'vitest'
import type { Provider } from '../provider.ts'
import type { AnalysisTask, ProviderAnalyzer, Model } from '../model.ts'
import { fakeTextModel } from '@fairlead/testing'
import { findAnalyzer } from './find-analyzer.ts'
import { createRegistry } from '../catalog/registry.ts'

function provider(id: string, ...analyzers: readonly ProviderAnalyzer[]): Provider {
  return { contract: 2, id, models: [], analyzers }
}

const english = { id: 'english', tasks: { sentiment: ['en'], entities: ['en'], keywords: ['en'] } }
const german = { id: 'german', tasks: { sentiment: ['de'], keywords: ['de', 'fr'] } }
const providers = [provider('one', english), provider('two', german), provider('three')]

const clever = {
  ...provider('four'),
  models: [fakeTextModel({ id: 'clever', structured: true }), fakeTextModel({ id: 'plain' })],
}

function createTestRegistry(...sources: readonly Provider[]) {
  return createRegistry(
    sources.map((source) => ({
      provider: source,
      models: source.models as readonly Model[],
      analyzers: source.analyzers ?? [],
    })),
  )
}

function found(tasks: readonly AnalysisTask[], language: string, model?: string) {
  const { route } = findAnalyzer(createTestRegistry(...providers), { tasks, language, model })
  const [target] = route.targets
  return `${target.provider.id}/${target.id}`
}

describe('findAnalyzer', () => {
  test.each([
    [['sentiment', 'entities', 'keywords'], 'en', 'one/english'],
    [['sentiment', 'keywords'], 'de', 'two/german'],
    [['keywords'], 'fr', 'two/german'],
  ] as const)('findAnalyzer returns the first analyzer that supports %j in %s', (tasks, language, expected) => {
    expect(found(tasks, language)).toBe(expected)
  })

  test('findAnalyzer finds an analyzer by its short or full id', () => {
    expect(found(['sentiment'], 'de', 'german')).toBe('two/german')
    expect(found(['sentiment'], 'de', 'two/german')).toBe('two/german')
  })

  test.each([
    [['sentiment'], 'fr', undefined, 'language: no analyzer supports "fr" for sentiment; supported: en, de'],
    [['sentiment', 'entities'], 'de', undefined, 'language: no analyzer supports "de" for entities; supported: en'],
    [['sentiment'], 'en', 'german', 'language: no analyzer supports "en" for sentiment; supported: de'],
    [['entities'], 'de', 'german', 'tasks[0]: no analyzer supports "entities"'],
    [['sentiment'], 'en', 'two/english', 'model: unknown analyzer "two/english"; did you mean "english"?'],
    [['sentiment'], 'en', 'englich', 'model: unknown analyzer "englich"; did you mean "english"?'],
    [['sentiment'], 'en', 'constructor', 'model: unknown analyzer "constructor"; analyzers: english, german'],
  ] as const)(
    'findAnalyzer rejects %j in %s with the model %s, and lists the alternatives',
    (tasks, language, model, message) => {
      expect(() => found(tasks, language, model)).toThrow(message)
    },
  )

  test('findAnalyzer rejects tasks that no single analyzer supports together', () => {
    const split = [
      provider('one', { id: 'a', tasks: { sentiment: ['en'] } }),
      provider('two', { id: 'b', tasks: { keywords: ['en'] } }),
    ]
    expect(() =>
      findAnalyzer(createTestRegistry(...split), { tasks: ['sentiment', 'keywords'], language: 'en' }),
    ).toThrow('tasks: no analyzer supports all of these in "en"')
  })

  test('findAnalyzer rejects every task if there are no analyzers', () => {
    expect(() => findAnalyzer(createTestRegistry(), { tasks: ['sentiment'], language: 'en' })).toThrow(
      'no analyzer supports "sentiment"',
    )
  })

  test.each(['clever', 'four/clever'])('findAnalyzer finds the text model %s for any language', (model) => {
    const analysis = findAnalyzer(createTestRegistry(...providers, clever), {
      tasks: ['sentiment'],
      language: 'sw',
      model,
    })
    expect(analysis).toMatchObject({ kind: 'model', name: 'clever' })
  })

  test('findAnalyzer prefers an analyzer to a text model with the same id', () => {
    const namesake = { ...provider('five'), models: [fakeTextModel({ id: 'english', structured: true })] }
    const query = { tasks: ['sentiment'], language: 'en', model: 'english' } as const
    expect(findAnalyzer(createTestRegistry(namesake, ...providers), query).kind).toBe('analyzer')
  })

  test.each([
    ['plain', '"plain" cannot analyze: it does not support structured output; analyzers: english, german; '],
    ['missing', 'unknown analyzer "missing"; analyzers: english, german; text models that can analyze: clever'],
  ])('findAnalyzer rejects the text model %s, and lists those that can analyze', (model, message) => {
    const query = { tasks: ['sentiment'], language: 'en', model } as const
    expect(() => findAnalyzer(createTestRegistry(...providers, clever), query)).toThrow(message)
  })

  test('findAnalyzer falls back to a text model only if no analyzer supports the language and none is requested', () => {
    const registry = createTestRegistry(...providers, clever)
    const kindFor = (language: string, model?: string) =>
      findAnalyzer(registry, { tasks: ['sentiment'], language, model }, 'clever').kind
    expect(kindFor('en')).toBe('analyzer')
    expect(kindFor('sw')).toBe('model')
    expect(() => kindFor('sw', 'german')).toThrow('no analyzer supports "sw"')
  })
})
