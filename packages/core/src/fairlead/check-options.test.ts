import { describe, expect, test } from 'vitest'
import { accounts } from '@fairlead/accounts'
import { createFairlead } from './create-fairlead.ts'
import type { FairleadOptions } from './fairlead-options.ts'
import type { RoutingOptions } from '../gateway/routing/route-options.ts'
import { fakeImageModel, scripted, fakeTextModel } from '@fairlead/testing'
import { clip, maxNameLength } from '../runtime/schema/names.ts'

const providers = [
  { ...scripted('openai', 'hi'), models: [fakeTextModel({ id: 'gpt-4o' }), fakeImageModel({ id: 'dall-e' })] },
  { ...scripted('local', 'hi'), models: [fakeTextModel({ id: 'tiny' })] },
  { ...scripted('far', 'hi'), models: async () => [fakeTextModel({ id: 'later' })] },
]

function refusal(options: Omit<FairleadOptions, 'providers'>): string {
  try {
    createFairlead({ providers, ...options })
  } catch (error) {
    return error instanceof TypeError ? error.message : 'not a TypeError'
  }
  return 'accepted'
}

describe('createFairlead', () => {
  test('createFairlead says which of two providers of one name needs another, and how', () => {
    expect(() => createFairlead({ providers: [...providers, scripted('local', 'again')] })).toThrow(
      'providers[3]: another provider is called "local" too; give one of them an id of its own',
    )
  })

  test('createFairlead says which provider has an id that can be none, and what may stand in one', () => {
    expect(() => createFairlead({ providers: [...providers, scripted('Rack One', 'hi')] })).toThrow(
      'providers[3].id: "Rack One" is not a valid provider id: use lowercase letters, digits, dots and dashes',
    )
  })

  test.each<[string, object]>([
    ['providers[0].models: must be an array, or a function that returns one', { models: undefined }],
    ['providers[0].models[0]: must be an object', { models: [null] }],
    [
      'providers[0].models[0].id: must have 1 to 200 characters and no control characters',
      { models: [fakeTextModel({ id: 'a\nb' })] },
    ],
    [
      'providers[0].models[1].maxTokens: must be at least 1',
      { models: [fakeTextModel(), { ...fakeTextModel({ id: 'b' }), maxTokens: 0 }] },
    ],
    ['providers[0].models[0].pricing.output: is required', { models: [{ ...fakeTextModel(), pricing: { input: 1 } }] }],
    ['providers[0].models[1].id: another entry has the id "any" too', { models: [fakeTextModel(), fakeTextModel()] }],
    ['providers[0].models[0].type: must be "text"', { models: [{ ...fakeTextModel(), type: 'txet' }] }],
    [
      'providers[0].models[0].type: must be one of "text", "image"',
      { models: [{ ...fakeTextModel(), type: undefined }] },
    ],
    ['providers[0].knownModels[0].name: is required', { knownModels: [{ ...fakeTextModel(), name: undefined }] }],
    ['providers[0].analyzers: must be an array', { analyzers: {} }],
    ['providers[0].analyzers[0].tasks: is required', { analyzers: [{ id: 'blind' }] }],
    [
      'providers[0].analyzers[0].tasks.sentiment[0]: must be an ISO 639-1 code',
      { analyzers: [{ id: 'blind', tasks: { sentiment: ['english'] } }] },
    ],
  ])('createFairlead refuses a provider that says about itself: %s', (words, facts) => {
    expect(() => createFairlead({ providers: [{ ...scripted('one', 'hi'), ...facts }] })).toThrow(new TypeError(words))
  })

  test('createFairlead accepts models of a type that a later version may know, and ignores them', async () => {
    const models = [{ ...fakeTextModel(), type: 'video' }, fakeTextModel()] as never
    const { models: listed } = createFairlead({ providers: [{ ...scripted('one', 'hi'), models }] })
    expect(await listed.list()).toMatchObject([{ type: 'text' }])
  })

  test.each<[string, RoutingOptions['routes']]>([
    ['a route over models that are there', { smart: { targets: ['openai/gpt-4o', { model: 'local/tiny' }] } }],
    ['a route with the id of a model', { 'gpt-4o': { targets: ['openai/gpt-4o', 'local/tiny'] } }],
    ['a route to what may be listed later', { smart: { targets: ['far/whatever/it/is'] } }],
    ['weights', { smart: { targets: [{ model: 'openai/gpt-4o', weight: 0 }, 'local/tiny'], strategy: 'weighted' } }],
    ['time-outs of a route', { smart: { targets: ['local/tiny'], timeouts: { totalMs: 600_000 } } }],
  ])('createFairlead accepts %s', (_case, routes) => {
    expect(refusal({ routing: { routes } })).toBe('accepted')
  })

  test.each<[string, unknown]>([
    [
      'routing.routes.smart.targets[1]: unknown provider "opnai"; did you mean "openai"?',
      ['local/tiny', 'opnai/gpt-4o'],
    ],
    ['routing.routes.smart.targets[0]: unknown provider "x"; providers: openai, local, far', ['x/gpt-4o']],
    [
      'routing.routes.smart.targets[0]: unknown model "gpt4o" of provider "openai"; did you mean "gpt-4o"?',
      ['openai/gpt4o'],
    ],
    ['routing.routes.smart.targets[0]: unknown model "huge" of provider "local"; models: tiny', ['local/huge']],
    ['routing.routes.smart.targets[1]: duplicate target "local/tiny"', ['local/tiny', { model: 'local/tiny' }]],
    [
      'routing.routes.smart.targets[1]: "openai/dall-e" is of type image, but the targets before it are of type text',
      ['local/tiny', 'openai/dall-e'],
    ],
    [
      'routing.routes.smart.targets[0]: has a weight, which requires strategy "weighted"',
      [{ model: 'local/tiny', weight: 2 }],
    ],
    ['routing.routes.smart.targets[0]: must have the form "provider/model"', ['tiny']],
    ['routing.routes.smart.targets[0].weight: must be at least 0', [{ model: 'local/tiny', weight: -1 }]],
    [
      'routing.routes.smart.targets[0]: must be "provider/model" or { model: "provider/model", weight: <number from 0> }',
      [7],
    ],
    ['routing.routes.smart.targets: must have at least one target', []],
    ['routing.routes.smart.targets: must be an array', 'local/tiny'],
  ])('createFairlead refuses a route with: %s', (words, targets) => {
    expect(refusal({ routing: { routes: { smart: { targets } } } } as never)).toBe(words)
  })

  test.each<[string, unknown]>([
    [
      'routing.routes.smart.strategy: must be one of "fallback", "weighted", "fastest", "cheapest"',
      { strategy: 'best' },
    ],
    [
      'routing.routes.smart.stratgy: is not a known field; did you mean "routing.routes.smart.strategy"?',
      { stratgy: 'fastest' },
    ],
    ['routing.routes.smart.timeouts.idleMs: must be at least 1', { timeouts: { idleMs: 0 } }],
    [
      'routing.routes.smart.targets: must have at least one target with a weight above 0',
      { targets: [{ model: 'local/tiny', weight: 0 }], strategy: 'weighted' },
    ],
  ])('createFairlead refuses a route with: %s', (words, facts) => {
    expect(refusal({ routing: { routes: { smart: { targets: ['local/tiny'], ...(facts as object) } } } })).toBe(words)
  })

  test('createFairlead refuses a route that takes the full name of a model', () => {
    expect(refusal({ routing: { routes: { 'openai/gpt-4o': { targets: ['local/tiny'] } } } })).toBe(
      'routing.routes.openai/gpt-4o: must not start with "openai/", which is reserved for the models of that provider',
    )
  })

  test.each<[string, Record<string, string>]>([
    ['routing.aliases.gpt-4o: "gpt-4o" is a listed model; an alias must not be one', { 'gpt-4o': 'tiny' }],
    ['routing.aliases.smart: "smart" is also a route; remove one of them', { smart: 'tiny' }],
    ['routing.aliases.*-4*: must have at most one "*"', { '*-4*': 'tiny' }],
    ['routing.aliases.older: "old" is an alias; use the id of a model or route', { older: 'old', old: 'tiny' }],
    ['routing.aliases.old: unknown model "openai/gpt-5"; models: smart, gpt-4o, dall-e, tiny', { old: 'openai/gpt-5' }],
  ])('createFairlead refuses %s', (words, aliases) => {
    expect(refusal({ routing: { aliases, routes: { smart: { targets: ['local/tiny'] } } } })).toBe(words)
  })

  test.each(['', 'x'.repeat(201)])('createFairlead refuses %j as the id of a route or of an alias', (id) => {
    const options = { routes: { [id]: { targets: ['local/tiny'] } }, aliases: { [id]: 'tiny' } }
    const name = clip(id, maxNameLength)
    expect(refusal({ routing: options })).toBe(
      `routing.routes.${name}: must have an id of 1 to 200 characters\nrouting.aliases.${name}: must have an id of 1 to 200 characters`,
    )
  })

  test('createFairlead accepts aliases of models, of routes and of what may be listed later', () => {
    const aliases = {
      a: 'tiny',
      b: 'openai/gpt-4o',
      c: 'smart',
      d: 'later',
      'gpt-*': 'tiny',
      'openai/gpt-3': 'openai/gpt-4o',
    }
    expect(refusal({ routing: { aliases, routes: { smart: { targets: ['local/tiny'] } } } })).toBe('accepted')
  })

  test('createFairlead names every fault at once', () => {
    const routes = { a: { targets: ['x/y'] }, b: { targets: ['local/huge'] } }
    expect(refusal({ routing: { routes } }).split('\n')).toHaveLength(2)
  })

  test.each<[string, RoutingOptions]>([
    ['timeouts.totalMs', { timeouts: { totalMs: Infinity } }],
    ['retries.perTarget', { retries: { perTarget: -1 } }],
    ['retries.budget', { retries: { budget: 2 } }],
    ['circuit.failures', { circuit: { failures: 0 } }],
    ['concurrency.perTarget', { concurrency: { perTarget: 0.5 } }],
  ])('createFairlead refuses a wrong %s', (field, options) => {
    expect(refusal({ routing: options })).toContain(`routing.${field}: must be`)
  })

  test.each<[string, unknown]>([
    ['The options must be an object: createFairlead({ providers: [local()] })', undefined],
    ['providers: is required, such as [local()] of @fairlead/provider-local', {}],
    ['provider: is not a known option; did you mean "providers"?', { provider: [] }],
    ['providers: must be an array: put the provider in brackets', { providers: scripted('one', 'hi') }],
    ['providers[0] is a function: call it', { providers: [() => scripted('one', 'hi')] }],
    ['providers[0] is not a provider', { providers: ['openai'] }],
    ['baseURL: is not a known option; did you mean "baseUrl"?', { providers, baseURL: 'https://x' }],
    ['providers[0] is a promise: await it', { providers: [Promise.resolve(scripted('one', 'hi'))] }],
    ['stores is a promise: await it', { providers, stores: Promise.resolve({}) }],
    ['stores is a function: call it', { providers, stores: () => ({}) }],
    ['stores: must have a method "transact"', { providers, stores: {} }],
    ['cache: must have a method "get"', { providers, cache: {} }],
    ['blobs: must have a method "put"', { providers, blobs: 'images' }],
    ['log: must have a method "error"', { providers, log: null }],
    ['baseUrl: must be a string', { providers, baseUrl: new URL('https://x.example') }],
    ['secretKeys.current: is required', { providers, secretKeys: {} }],
    ['features: must be an array, such as [accounts()]', { providers, features: accounts() }],
    ['features[0] is a function: call it', { providers, features: [accounts] }],
    ['features[0] is not a feature: declare it with defineFeature', { providers, features: [{}] }],
  ])('createFairlead says: %s', (message, options) => {
    expect(() => createFairlead(options as FairleadOptions)).toThrow(new TypeError(message))
  })

  test('createFairlead says what `run` takes', async () => {
    const fairlead = createFairlead({ providers })
    await expect(fairlead.core.run('generate' as never, { kind: 'embedded' }, {})).rejects.toThrow(
      'run: the first argument must be an operation, such as operations.generate',
    )
  })
})
