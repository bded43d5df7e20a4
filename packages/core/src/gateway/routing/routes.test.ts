import { describe, expect, test } from 'vitest'
import { operations } from '../../operations.ts'
import type { Provider } from '../provider.ts'
import { imageModel, painter, scripted, textModel } from '../../testing/fake-providers.ts'
import { testCore } from '../../testing/test-core.ts'

const first = {
  ...scripted('first', 'from the first'),
  models: [textModel({ id: 'big', name: 'Big', maxTokens: 500, contextSize: 8_000, streaming: true, seed: true })],
}
const second = {
  ...scripted('second', 'from the second'),
  models: [textModel({ id: 'small', maxTokens: 50, contextSize: 4_000, streaming: true })],
}
const routes = { smart: { targets: ['first/big', 'second/small'] } }

describe('a route', () => {
  test('is listed first, with the facts of its first target within what all can do', async () => {
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

  test('answers under its own name, and says who did', async () => {
    const { core, caller } = await testCore({ providers: [first, second], routes })
    const reply = await core.run(operations.generate, caller, { model: 'smart', prompt: 'x' })
    expect(reply).toMatchObject({
      data: { content: 'from the first', model: 'smart' },
      meta: { provider: 'first', attempts: 1 },
    })
  })

  test('refuses more tokens than any of its targets writes', async () => {
    const { core, caller } = await testCore({ providers: [first, second], routes })
    const reply = await core.run(operations.generate, caller, { model: 'smart', prompt: 'x', maxTokens: 51 })
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'maxTokens' } } })
  })

  test('may take the id of a model, which then is listed by its full name', async () => {
    const shadow = { big: { targets: ['second/small'] } }
    const { core, caller } = await testCore({ providers: [first, second], routes: shadow })
    const models = await core.run(operations.models, caller, {})
    expect(models).toMatchObject({ data: [{ id: 'big', provider: 'second' }, { id: 'first/big' }, { id: 'small' }] })
    const reply = await core.run(operations.generate, caller, { model: 'first/big', prompt: 'x' })
    expect(reply).toMatchObject({ data: { content: 'from the first', model: 'first/big' } })
  })

  test('of images offers the sizes that all of its targets make', async () => {
    const wide = { ...painter('wide'), models: [imageModel({ sizes: ['1024x1024', '256x256', '512x256'] })] }
    const square = { ...painter('square'), models: [imageModel({ sizes: ['256x256', '1024x1024'] })] }
    const { core, caller } = await testCore({
      providers: [wide, square],
      routes: { art: { targets: ['wide/picture', 'square/picture'] } },
    })
    const reply = await core.run(operations.model, caller, { id: 'art' })
    expect(reply).toMatchObject({ data: { capabilities: { sizes: ['1024x1024', '256x256'] } } })
  })

  test('goes without targets that are not listed, and says so once', async () => {
    let there = false
    const late: Provider = {
      ...scripted('late', 'at last'),
      models: async () => {
        if (!there) throw new Error('down')
        return [textModel()]
      },
    }
    const { core, caller, logged, clock } = await testCore({
      providers: [late, second],
      routes: { smart: { targets: ['late/any', 'second/small'] } },
    })
    const ask = () => core.run(operations.generate, caller, { model: 'smart', prompt: 'x' })
    expect(await ask()).toMatchObject({ data: { content: 'from the second' } })
    for (let round = 0; round < 3; round++) {
      clock.advance(30_000)
      await ask()
    }
    expect(logged.filter(({ facts }) => facts['target'] === 'late/any')).toHaveLength(1)
    there = true
    clock.advance(30_000)
    await expect.poll(ask).toMatchObject({ data: { content: 'at last' } })
  })

  test('none of whose targets is there is unavailable, not unknown', async () => {
    const away: Provider = { ...scripted('away', 'x'), models: () => Promise.reject(new Error('down')) }
    const { core, caller } = await testCore({ providers: [away], routes: { smart: { targets: ['away/any'] } } })
    const reply = await core.run(operations.generate, caller, { model: 'smart', prompt: 'x' })
    expect(reply).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 30_000 })
    expect(await core.run(operations.models, caller, {})).toMatchObject({ data: [] })
  })

  test.each(['away/any', 'old'])(
    'leaves %s unavailable, not unknown, while its provider lists nothing',
    async (model) => {
      const away: Provider = { ...scripted('away', 'x'), models: () => Promise.reject(new Error('down')) }
      const { core, caller } = await testCore({ providers: [away, second], aliases: { old: 'away/any' } })
      const reply = await core.run(operations.generate, caller, { model, prompt: 'x' })
      expect(reply).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 30_000 })
      const unknown = await core.run(operations.generate, caller, { model: 'nowhere', prompt: 'x' })
      expect(unknown).toMatchObject({
        error: { code: 'INVALID_REQUEST', message: expect.stringMatching(/; those of away are not known at present$/) },
      })
    },
  )

  test('none of whose targets is there is unavailable by a retired name too', async () => {
    const away: Provider = { ...scripted('away', 'x'), models: () => Promise.reject(new Error('down')) }
    const { core, caller } = await testCore({
      providers: [away],
      routes: { smart: { targets: ['away/any'] } },
      aliases: { 'smart-1': 'smart' },
    })
    const reply = await core.run(operations.generate, caller, { model: 'smart-1', prompt: 'x' })
    expect(reply).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' } })
  })

  test('goes without a target that turns out to be of another type', async () => {
    const artist: Provider = { ...painter('artist'), models: async () => [imageModel()] }
    const { core, caller, logged } = await testCore({
      providers: [artist, second],
      routes: { smart: { targets: ['second/small', 'artist/picture'] } },
    })
    const reply = await core.run(operations.generate, caller, { model: 'smart', prompt: 'x' })
    expect(reply).toMatchObject({ data: { content: 'from the second' } })
    expect(logged).toMatchObject([{ facts: { route: 'smart', target: 'artist/picture' } }])
  })
})

describe('an alias', () => {
  const aliases = { 'big-2024': 'big', 'smart-1': 'smart' }

  test('answers under the present name, with a warning', async () => {
    const { core, caller } = await testCore({ providers: [first, second], routes, aliases })
    const reply = await core.run(operations.generate, caller, { model: 'big-2024', prompt: 'x' })
    expect(reply).toMatchObject({
      data: { model: 'big' },
      meta: { warnings: [{ field: 'model', issue: '"big-2024" is retired; "big" answered' }] },
    })
  })

  test('may stand for a route', async () => {
    const { core, caller } = await testCore({ providers: [first, second], routes, aliases })
    const reply = await core.run(operations.generate, caller, { model: 'smart-1', prompt: 'x' })
    expect(reply).toMatchObject({ data: { model: 'smart' } })
  })

  test('may name who analyzes', async () => {
    const json = JSON.stringify({ sentiment: { score: 0.5, label: 'positive' } })
    const clever = { ...scripted('clever', json), models: [textModel({ id: 'mind', structured: true })] }
    const { core, caller } = await testCore({ providers: [clever], aliases: { 'mind-1': 'mind' } })
    const reply = await core.run(operations.analyze, caller, { model: 'mind-1', text: 'x', tasks: ['sentiment'] })
    expect(reply).toMatchObject({
      data: { sentiment: { score: 0.5 } },
      meta: { warnings: [{ field: 'model', issue: '"mind-1" is retired; "mind" answered' }] },
    })
  })

  test('is not listed, and can be looked up', async () => {
    const { core, caller } = await testCore({ providers: [first, second], aliases: { 'big-2024': 'big' } })
    expect(await core.run(operations.models, caller, {})).toMatchObject({ data: [{ id: 'big' }, { id: 'small' }] })
    expect(await core.run(operations.model, caller, { id: 'big-2024' })).toMatchObject({ data: { id: 'big' } })
  })
})
