import { describe, expect, test } from 'vitest'
import type { Provider } from '../provider.ts'
import { fakeImageModel, fakeTextModel } from '@fairlead/testing'
import { FairleadError } from '../../runtime/errors.ts'
import type { Model } from '../model.ts'
import { createRegistry } from './registry.ts'

function registryOf(
  offers: Readonly<Record<string, readonly Model[]>>,
  routing?: Parameters<typeof createRegistry>[1],
) {
  return createRegistry(
    Object.entries(offers).map(([id, models]) => ({ provider: { contract: 2, id, models } as Provider, models })),
    routing,
  )
}

/** The first target of the route for an id. */
function destination(registry: ReturnType<typeof registryOf>, id: string) {
  const [{ provider, id: inner, model }] = registry.route('text', id).targets
  return { provider: provider.id, inner, listed: model.id }
}

describe('createRegistry', () => {
  test('createRegistry lists models in the order of the configuration, each with its provider', () => {
    const registry = registryOf({
      one: [fakeTextModel({ id: 'a' }), fakeImageModel({ id: 'b' })],
      two: [fakeTextModel({ id: 'c' })],
    })
    expect(registry.models().map(({ id, provider }) => `${provider}: ${id}`)).toEqual(['one: a', 'one: b', 'two: c'])
    expect(registry.models('text').map(({ id }) => id)).toEqual(['a', 'c'])
    expect(registry.models('image').map(({ id }) => id)).toEqual(['b'])
  })

  test('createRegistry gives a duplicate id to the first provider, and lists the other model as provider/id', () => {
    const registry = registryOf({ one: [fakeTextModel({ id: 'same' })], two: [fakeTextModel({ id: 'same' })] })
    expect(registry.models().map(({ id }) => id)).toEqual(['same', 'two/same'])
    expect(destination(registry, 'same')).toEqual({ provider: 'one', inner: 'same', listed: 'same' })
    expect(destination(registry, 'two/same')).toEqual({ provider: 'two', inner: 'same', listed: 'two/same' })
    expect(destination(registry, 'one/same')).toEqual({ provider: 'one', inner: 'same', listed: 'same' })
  })

  test('createRegistry finds each model as provider/id, whatever ids other providers choose', () => {
    const registry = registryOf({
      thief: [fakeTextModel({ id: 'real/model' })],
      real: [fakeTextModel({ id: 'model' })],
    })
    expect(destination(registry, 'real/model').provider).toBe('real')
    expect(destination(registry, 'thief/real/model')).toEqual({
      provider: 'thief',
      inner: 'real/model',
      listed: 'thief/real/model',
    })
    expect(new Set(registry.models().map(({ id }) => id)).size).toBe(2)
  })

  test.each(['', 'constructor', '__proto__', 'one/', '/a', 'one/one/a', 'A'])(
    'createRegistry finds no model for the id %j',
    (id) => {
      const registry = registryOf({ one: [fakeTextModel({ id: 'a' })] })
      expect(registry.find(id)).toBeUndefined()
      expect(() => registry.route('text', id)).toThrow(FairleadError)
    },
  )

  test('createRegistry rejects an unknown model and one of another type, and lists the models of the type', () => {
    const registry = registryOf({ one: [fakeTextModel({ id: 'a' }), fakeImageModel({ id: 'b' })] })
    expect(() => registry.route('text', 'b')).toThrow('"b" is a model of type image; models of type text: a')
    expect(() => registry.route('image', 'x')).toThrow('unknown model "x"; models of type image: b')
  })

  test('createRegistry rejects an embedding model for text, and a text model for embeddings, and lists the models that can', () => {
    const registry = registryOf({
      one: [fakeTextModel({ id: 'a' }), fakeTextModel({ id: 'e', embedding: { dimensions: 8 } })],
    })
    expect(() => registry.route('text', 'e')).toThrow('"e" only embeds texts; models of type text: a')
    expect(() => registry.route('text', 'x')).toThrow('unknown model "x"; models of type text: a')
    expect(() => registry.route('embedding', 'a')).toThrow('"a" does not embed texts; models that embed texts: e')
    expect(() => registry.route('embedding', 'x')).toThrow('unknown model "x"; models that embed texts: e')
  })

  test.each([
    ['text', 'gpt-54', 'unknown model "gpt-54"; did you mean "gpt-5.4"?'],
    ['text', 'one/gpt54', 'unknown model "one/gpt54"; did you mean "one/gpt-5.4"?'],
    ['text', 'smrat', 'unknown model "smrat"; did you mean "smart"?'],
    ['text', 'dall-e-4', 'unknown model "dall-e-4"; models of type text: smart, gpt-5.4, two/gpt-5.4'],
    ['text', 'secre', 'unknown model "secre"; models of type text: smart, gpt-5.4, two/gpt-5.4'],
    ['image', 'dall-e-4', 'unknown model "dall-e-4"; did you mean "dall-e-3"?'],
    ['image', 'gpt-5.4', '"gpt-5.4" is a model of type text; models of type image: dall-e-3'],
  ] as const)(
    'createRegistry suggests for %s the listed model that an unknown id was meant for (%s)',
    (use, id, message) => {
      const registry = registryOf(
        {
          one: [fakeTextModel({ id: 'gpt-5.4' }), fakeImageModel({ id: 'dall-e-3' })],
          two: [fakeTextModel({ id: 'gpt-5.4' })],
        },
        { routes: { smart: { targets: ['one/gpt-5.4'] } }, aliases: { secret: 'smart' } },
      )
      expect(() => registry.route(use, id)).toThrow(message)
    },
  )

  test('createRegistry lists at most twelve models in an error, and the number of others', () => {
    const registry = registryOf({ one: Array.from({ length: 15 }, (_, index) => fakeTextModel({ id: `m${index}` })) })
    expect(() => registry.route('text', 'x')).toThrow(/m0, m1, .*m11 and 3 more$/)
    expect(() => registryOf({}).route('text', 'x')).toThrow('models of type text: none')
  })

  describe('while a provider has no model list', () => {
    const listed = { provider: { contract: 2, id: 'up', models: [] } as Provider, models: [fakeTextModel({ id: 'a' })] }
    const unlisted = (id: string) => ({
      provider: { contract: 2, id, models: async () => [] } as Provider,
      models: [],
      failed: true,
    })

    test.each(['llama3', 'ollama/llama3', 'old'])(
      'a registry that lacks the model list of a provider rejects %j as unavailable and names the provider',
      (id) => {
        const registry = createRegistry([listed, unlisted('ollama')], { aliases: { old: 'llama3' } })
        expect(() => registry.route('text', id)).toThrow(
          expect.objectContaining({
            code: 'PROVIDER_UNAVAILABLE',
            message: `Model "${id}" is not available. Unavailable providers: ollama. Try again later.`,
            facts: { provider: 'ollama', attempts: 0 },
            retryAfterMs: 30_000,
          }),
        )
      },
    )

    test('a registry that lacks the model list of a provider names each unavailable provider for an id without a provider', () => {
      const registry = createRegistry([unlisted('ollama'), unlisted('vllm')])
      expect(() => registry.route('text', 'llama3')).toThrow(/Unavailable providers: ollama, vllm\./)
      expect(() => registry.route('text', 'vllm/llama3')).toThrow(/Unavailable providers: vllm\./)
    })

    test('a registry that lacks the model list of a provider gives the reason why a target of a route is omitted', () => {
      const registry = createRegistry([listed, unlisted('ollama')], {
        routes: { smart: { targets: ['ollama/llama3', 'up/gone'] } },
      })
      expect(registry.omittedTargets).toEqual([
        { route: 'smart', target: 'ollama/llama3', reason: 'its provider could not list its models' },
        { route: 'smart', target: 'up/gone', reason: 'its provider does not list it' },
      ])
    })

    test('a registry that lacks the model list of a provider still rejects a listed model of another type as invalid', () => {
      const registry = createRegistry([listed, unlisted('ollama')])
      expect(() => registry.route('image', 'a')).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
    })
  })
})
