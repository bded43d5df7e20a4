import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import type { EmbeddingFacts } from '../model.ts'
import type { Provider } from '../provider.ts'
import { fakeImageModel, fakePainter, scripted, fakeTextModel, testCore } from '@fairlead/testing'

const first = {
  ...scripted('first', 'from the first'),
  models: [fakeTextModel({ id: 'big', name: 'Big', maxTokens: 500, contextSize: 8_000, streaming: true, seed: true })],
}
const second = {
  ...scripted('second', 'from the second'),
  models: [fakeTextModel({ id: 'small', maxTokens: 50, contextSize: 4_000, streaming: true })],
}
const routes = { smart: { targets: ['first/big', 'second/small'] } }

describe('routes', () => {
  test('routes are listed first, with the properties of their first target limited to what all targets support', async () => {
    const { core, caller } = await testCore({ providers: [first, second], routes })
    const reply = await core.run(operations.models, caller, {})
    expect(reply).toMatchObject({ data: [{ id: 'smart' }, { id: 'big' }, { id: 'small' }] })
    expect(await core.run(operations.model, caller, { id: 'smart' })).toMatchObject({
      data: {
        name: 'Big',
        provider: 'first',
        maxTokens: 50,
        capabilities: { streaming: true, seed: false },
      },
    })
  })

  test('routes respond under their own id, with the provider in the metadata', async () => {
    const { core, caller } = await testCore({ providers: [first, second], routes })
    const reply = await core.run(operations.generate, caller, { model: 'smart', prompt: 'x' })
    expect(reply).toMatchObject({
      data: { content: 'from the first', model: 'smart' },
      meta: { provider: 'first', attempts: 1 },
    })
  })

  test('routes reject more tokens than the smallest target can generate', async () => {
    const { core, caller } = await testCore({ providers: [first, second], routes })
    const reply = await core.run(operations.generate, caller, { model: 'smart', prompt: 'x', maxTokens: 51 })
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'maxTokens' } } })
  })

  test('routes can have the id of a model, which is then listed as provider/id', async () => {
    const shadow = { big: { targets: ['second/small'] } }
    const { core, caller } = await testCore({ providers: [first, second], routes: shadow })
    const models = await core.run(operations.models, caller, {})
    expect(models).toMatchObject({ data: [{ id: 'big', provider: 'second' }, { id: 'first/big' }, { id: 'small' }] })
    const reply = await core.run(operations.generate, caller, { model: 'first/big', prompt: 'x' })
    expect(reply).toMatchObject({ data: { content: 'from the first', model: 'first/big' } })
  })

  test('routes list the image sizes that all targets support', async () => {
    const wide = { ...fakePainter('wide'), models: [fakeImageModel({ sizes: ['1024x1024', '256x256', '512x256'] })] }
    const square = { ...fakePainter('square'), models: [fakeImageModel({ sizes: ['256x256', '1024x1024'] })] }
    const { core, caller } = await testCore({
      providers: [wide, square],
      routes: { art: { targets: ['wide/picture', 'square/picture'] } },
    })
    const reply = await core.run(operations.model, caller, { id: 'art' })
    expect(reply).toMatchObject({ data: { capabilities: { sizes: ['1024x1024', '256x256'] } } })
  })

  test('routes can do what all targets can', async () => {
    const able = { structured: true, vision: true, tools: true, reasoning: true }
    const one = { ...scripted('one', 'x'), models: [fakeTextModel(able)] }
    const other = { ...scripted('other', 'x'), models: [fakeTextModel({ ...able, vision: false, reasoning: false })] }
    const { fairlead } = await testCore({
      providers: [one, other],
      routes: { smart: { targets: ['one/any', 'other/any'] } },
    })
    const { capabilities } = await fairlead.models.get({ id: 'smart' })
    const expected = { structured: true, vision: false, tools: true, reasoning: false, chat: true }
    expect(capabilities).toMatchObject(expected)
  })

  test('routes omit an embedding model of another length, and one that generates text', async () => {
    const listed = (id: string, facts: Partial<EmbeddingFacts> | undefined) => ({
      ...scripted(id, 'x'),
      models: [fakeTextModel(facts && { embedding: { dimensions: 8, ...facts } })],
    })
    const { fairlead, logged } = await testCore({
      providers: [
        listed('one', { minDimensions: 2 }),
        listed('two', { minDimensions: 4 }),
        listed('longer', { dimensions: 16 }),
        listed('writer', undefined),
      ],
      routes: { vectors: { targets: ['one/any', 'two/any', 'longer/any', 'writer/any'] } },
    })
    const { capabilities } = await fairlead.models.get({ id: 'vectors' })
    expect(capabilities.embedding).toEqual({ dimensions: 8, minDimensions: 4 })
    expect(logged.map(({ facts }) => facts['target'])).toEqual(['longer/any', 'writer/any'])
  })

  test('routes omit targets that are not listed, and log each once', async () => {
    let listed = false
    const late: Provider = {
      ...scripted('late', 'at last'),
      models: async () => {
        if (!listed) throw new Error('down')
        return [fakeTextModel()]
      },
    }
    const { core, caller, logged, clock } = await testCore({
      providers: [late, second],
      routes: { smart: { targets: ['late/any', 'second/small'] } },
    })
    const generate = () => core.run(operations.generate, caller, { model: 'smart', prompt: 'x' })
    expect(await generate()).toMatchObject({ data: { content: 'from the second' } })
    for (let round = 0; round < 3; round++) {
      clock.advance(30_000)
      await generate()
    }
    expect(logged.filter(({ facts }) => facts['target'] === 'late/any')).toHaveLength(1)
    listed = true
    clock.advance(30_000)
    await expect.poll(generate).toMatchObject({ data: { content: 'at last' } })
  })

  test('routes return 503 when no target is available', async () => {
    const down: Provider = { ...scripted('down', 'x'), models: () => Promise.reject(new Error('down')) }
    const { core, caller } = await testCore({ providers: [down], routes: { smart: { targets: ['down/any'] } } })
    const reply = await core.run(operations.generate, caller, { model: 'smart', prompt: 'x' })
    expect(reply).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 30_000 })
    expect(await core.run(operations.models, caller, {})).toMatchObject({ data: [] })
  })

  test.each(['down/any', 'any', 'old'])(
    'routes return 503 for %s while its provider has no model list',
    async (model) => {
      const down: Provider = { ...scripted('down', 'x'), models: () => Promise.reject(new Error('down')) }
      const { core, caller } = await testCore({ providers: [down, second], aliases: { old: 'down/any' } })
      const reply = await core.run(operations.generate, caller, { model, prompt: 'x' })
      expect(reply).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 30_000 })
    },
  )

  test('routes return 503 for an alias when no target is available', async () => {
    const down: Provider = { ...scripted('down', 'x'), models: () => Promise.reject(new Error('down')) }
    const { core, caller } = await testCore({
      providers: [down],
      routes: { smart: { targets: ['down/any'] } },
      aliases: { 'smart-1': 'smart' },
    })
    const reply = await core.run(operations.generate, caller, { model: 'smart-1', prompt: 'x' })
    expect(reply).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' } })
  })

  test('routes omit a target that turns out to be of another type', async () => {
    const artist: Provider = { ...fakePainter('artist'), models: async () => [fakeImageModel()] }
    const { core, caller, logged } = await testCore({
      providers: [artist, second],
      routes: { smart: { targets: ['second/small', 'artist/picture'] } },
    })
    const reply = await core.run(operations.generate, caller, { model: 'smart', prompt: 'x' })
    expect(reply).toMatchObject({ data: { content: 'from the second' } })
    expect(logged).toMatchObject([{ facts: { route: 'smart', target: 'artist/picture' } }])
  })
})

describe('aliases', () => {
  const aliases = { 'big-2024': 'big', 'smart-1': 'smart' }

  test('aliases respond under the current id, with a warning', async () => {
    const { core, caller } = await testCore({ providers: [first, second], routes, aliases })
    const reply = await core.run(operations.generate, caller, { model: 'big-2024', prompt: 'x' })
    expect(reply).toMatchObject({
      data: { model: 'big' },
      meta: { warnings: [{ field: 'model', issue: '"big-2024" is an alias; "big" answered' }] },
    })
  })

  test('aliases can point to a route', async () => {
    const { core, caller } = await testCore({ providers: [first, second], routes, aliases })
    const reply = await core.run(operations.generate, caller, { model: 'smart-1', prompt: 'x' })
    expect(reply).toMatchObject({ data: { model: 'smart' } })
  })

  test('aliases can name the text model for an analysis', async () => {
    const json = JSON.stringify({ sentiment: { score: 0.5, label: 'positive' } })
    const clever = { ...scripted('clever', json), models: [fakeTextModel({ id: 'mind', structured: true })] }
    const { core, caller } = await testCore({ providers: [clever], aliases: { 'mind-1': 'mind' } })
    const reply = await core.run(operations.analyze, caller, { model: 'mind-1', text: 'x', tasks: ['sentiment'] })
    expect(reply).toMatchObject({
      data: { sentiment: { score: 0.5 } },
      meta: { warnings: [{ field: 'model', issue: '"mind-1" is an alias; "mind" answered' }] },
    })
  })

  test.each([
    ['gpt-4o', 'small'],
    ['gpt-image-1', 'big'],
    ['eu/claude-5', 'smart'],
    ['big', 'big'],
    ['gpt-5', 'big'],
  ])('aliases can be patterns: %s stands for %s', async (model, id) => {
    const patterns = { 'gpt-image-*': 'big', 'gpt-*': 'small', '*/claude-5': 'smart', 'b*': 'small', 'gpt-5': 'big' }
    const { core, caller } = await testCore({ providers: [first, second], routes, aliases: patterns })
    const reply = await core.run(operations.generate, caller, { model, prompt: 'x' })
    expect(reply).toMatchObject({ data: { model: id } })
  })

  test.each(['gpt', 'xgpt-4', 'claude-5'])('aliases that are patterns do not stand for %s', async (model) => {
    const patterns = { 'gpt-*': 'small', '*/claude-5': 'big' }
    const { core, caller } = await testCore({ providers: [first, second], aliases: patterns })
    const reply = await core.run(operations.generate, caller, { model, prompt: 'x' })
    expect(reply).toMatchObject({ error: { details: { reason: 'model_not_found' } } })
  })

  test('aliases are not listed, but can be looked up', async () => {
    const { core, caller } = await testCore({ providers: [first, second], aliases: { 'big-2024': 'big' } })
    expect(await core.run(operations.models, caller, {})).toMatchObject({ data: [{ id: 'big' }, { id: 'small' }] })
    expect(await core.run(operations.model, caller, { id: 'big-2024' })).toMatchObject({ data: { id: 'big' } })
  })
})
