import { describe, expect, test } from 'vitest'
import type { Provider } from '../provider.ts'
import type { AnalysisTask, Analyzer, Model } from '../model.ts'
import { textModel } from '../../testing/fake-providers.ts'
import { findAnalyzer } from './find-analyzer.ts'
import { createRegistry } from '../catalog/registry.ts'

function provider(id: string, ...analyzers: readonly Analyzer[]): Provider {
  return { contract: 1, id, models: [], analyzers }
}

const english = { id: 'english', tasks: { sentiment: ['en'], entities: ['en'], keywords: ['en'] } }
const german = { id: 'german', tasks: { sentiment: ['de'], keywords: ['de', 'fr'] } }
const providers = [provider('one', english), provider('two', german), provider('three')]

const clever = {
  ...provider('four'),
  models: [textModel({ id: 'clever', structured: true }), textModel({ id: 'plain' })],
}

function registryOf(...sources: readonly Provider[]) {
  return createRegistry(
    sources.map((source) => ({
      provider: source,
      models: source.models as readonly Model[],
      analyzers: source.analyzers ?? [],
    })),
  )
}

function found(tasks: readonly AnalysisTask[], language: string, model?: string) {
  const { route } = findAnalyzer(registryOf(...providers), { tasks, language, model })
  const [target] = route.targets
  return `${target.provider.id}/${target.id}`
}

describe('findAnalyzer', () => {
  test.each([
    [['sentiment', 'entities', 'keywords'], 'en', 'one/english'],
    [['sentiment', 'keywords'], 'de', 'two/german'],
    [['keywords'], 'fr', 'two/german'],
  ] as const)('takes the first that performs %j in %s', (tasks, language, expected) => {
    expect(found(tasks, language)).toBe(expected)
  })

  test('takes the one that is named, by either name', () => {
    expect(found(['sentiment'], 'de', 'german')).toBe('two/german')
    expect(found(['sentiment'], 'de', 'two/german')).toBe('two/german')
  })

  test.each([
    [['sentiment'], 'fr', undefined, 'language: no analyzer reads "fr" for sentiment; supported: en, de'],
    [['sentiment', 'entities'], 'de', undefined, 'language: no analyzer reads "de" for entities; supported: en'],
    [['sentiment'], 'en', 'german', 'language: no analyzer reads "en" for sentiment; supported: de'],
    [['entities'], 'de', 'german', 'tasks[0]: no analyzer performs "entities"'],
    [['sentiment'], 'en', 'two/english', 'model: unknown analyzer "two/english"; analyzers: english, german'],
    [['sentiment'], 'en', 'constructor', 'model: unknown analyzer "constructor"; analyzers: english, german'],
  ] as const)('refuses %j in %s of %s, and says what there is', (tasks, language, model, message) => {
    expect(() => found(tasks, language, model)).toThrow(message)
  })

  test('says so where each task has its analyzer, but no one has all', () => {
    const split = [
      provider('one', { id: 'a', tasks: { sentiment: ['en'] } }),
      provider('two', { id: 'b', tasks: { keywords: ['en'] } }),
    ]
    expect(() => findAnalyzer(registryOf(...split), { tasks: ['sentiment', 'keywords'], language: 'en' })).toThrow(
      'tasks: no analyzer performs all of these in "en"',
    )
  })

  test('says so where there is none at all', () => {
    expect(() => findAnalyzer(registryOf(), { tasks: ['sentiment'], language: 'en' })).toThrow(
      'no analyzer performs "sentiment"',
    )
  })

  test.each(['clever', 'four/clever'])('takes the text model that is named as %s, whatever the language', (model) => {
    const analysis = findAnalyzer(registryOf(...providers, clever), { tasks: ['sentiment'], language: 'sw', model })
    expect(analysis).toMatchObject({ by: 'model', name: 'clever' })
  })

  test('takes an analyzer before a text model of the same name', () => {
    const namesake = { ...provider('five'), models: [textModel({ id: 'english', structured: true })] }
    const query = { tasks: ['sentiment'], language: 'en', model: 'english' } as const
    expect(findAnalyzer(registryOf(namesake, ...providers), query).by).toBe('analyzer')
  })

  test.each([
    ['plain', '"plain" does not answer in JSON, so it can\'t analyze; analyzers: english, german; '],
    ['nobody', 'unknown analyzer "nobody"; analyzers: english, german; text models that can analyze: clever'],
  ])('refuses the text model %s, and says which can', (model, message) => {
    const query = { tasks: ['sentiment'], language: 'en', model } as const
    expect(() => findAnalyzer(registryOf(...providers, clever), query)).toThrow(message)
  })

  test('falls back on a text model only where no analyzer can and none is named', () => {
    const registry = registryOf(...providers, clever)
    const by = (language: string, model?: string) =>
      findAnalyzer(registry, { tasks: ['sentiment'], language, model }, 'clever').by
    expect(by('en')).toBe('analyzer')
    expect(by('sw')).toBe('model')
    expect(() => by('sw', 'german')).toThrow('no analyzer reads "sw"')
  })
})
