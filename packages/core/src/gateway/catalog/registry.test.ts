import { describe, expect, test } from 'vitest'
import type { Provider } from '../provider.ts'
import { imageModel, textModel } from '../../testing/fake-providers.ts'
import { FairleadError } from '../../runtime/errors.ts'
import type { Model } from '../model.ts'
import { createRegistry } from './registry.ts'

function registryOf(offers: Readonly<Record<string, readonly Model[]>>) {
  return createRegistry(
    Object.entries(offers).map(([id, models]) => ({ provider: { contract: 1, id, models } as Provider, models })),
  )
}

/** Whom a request for a model would go to, and by which name that knows it. */
function destination(registry: ReturnType<typeof registryOf>, id: string) {
  const [{ provider, id: inner, model }] = registry.route('text', id).targets
  return { provider: provider.id, inner, listed: model.id }
}

describe('the registry', () => {
  test('lists models in the order of the configuration, each with whose it is', () => {
    const registry = registryOf({
      one: [textModel({ id: 'a' }), imageModel({ id: 'b' })],
      two: [textModel({ id: 'c' })],
    })
    expect(registry.models().map(({ id, provider }) => `${provider}: ${id}`)).toEqual(['one: a', 'one: b', 'two: c'])
    expect(registry.models('text').map(({ id }) => id)).toEqual(['a', 'c'])
    expect(registry.models('image').map(({ id }) => id)).toEqual(['b'])
  })

  test('gives an id that two have to the first, and lists the other’s under its full name', () => {
    const registry = registryOf({ one: [textModel({ id: 'same' })], two: [textModel({ id: 'same' })] })
    expect(registry.models().map(({ id }) => id)).toEqual(['same', 'two/same'])
    expect(destination(registry, 'same')).toEqual({ provider: 'one', inner: 'same', listed: 'same' })
    expect(destination(registry, 'two/same')).toEqual({ provider: 'two', inner: 'same', listed: 'two/same' })
    expect(destination(registry, 'one/same')).toEqual({ provider: 'one', inner: 'same', listed: 'same' })
  })

  test('reaches each model by its full name, whatever ids others choose', () => {
    const registry = registryOf({ thief: [textModel({ id: 'real/model' })], real: [textModel({ id: 'model' })] })
    expect(destination(registry, 'real/model').provider).toBe('real')
    expect(destination(registry, 'thief/real/model')).toEqual({
      provider: 'thief',
      inner: 'real/model',
      listed: 'thief/real/model',
    })
    expect(new Set(registry.models().map(({ id }) => id)).size).toBe(2)
  })

  test.each(['', 'constructor', '__proto__', 'one/', '/a', 'one/one/a', 'A'])('finds nothing under %j', (id) => {
    const registry = registryOf({ one: [textModel({ id: 'a' })] })
    expect(registry.find(id)).toBeUndefined()
    expect(() => registry.route('text', id)).toThrow(FairleadError)
  })

  test('refuses a model of another type in words that help', () => {
    const registry = registryOf({ one: [textModel({ id: 'a' }), imageModel({ id: 'b' })] })
    expect(() => registry.route('text', 'b')).toThrow('"b" is a model of type image; models of type text: a')
    expect(() => registry.route('image', 'x')).toThrow('unknown model "x"; models of type image: b')
  })

  test('names some of many models, and how many more there are', () => {
    const registry = registryOf({ one: Array.from({ length: 15 }, (_, index) => textModel({ id: `m${index}` })) })
    expect(() => registry.route('text', 'x')).toThrow(/m0, m1, .*m11 and 3 more$/)
    expect(() => registryOf({}).route('text', 'x')).toThrow('models of type text: none')
  })
})
