import { describe, expect, test } from 'vitest'
import { operations } from '../../index.ts'
import { scripted, fakeTextModel, testCore } from '@fairlead/testing'
import type { Model } from '../model.ts'
import type { Provider } from '../provider.ts'
import type { ObservedTarget } from '../routing/attempt-observer.ts'

/** A provider that lists `listed`, and finds what `find` returns. */
function finder(id: string, find: (id: string) => Model | undefined): Provider {
  return { ...scripted(id, `I am ${id}`), models: [fakeTextModel({ id: `${id}-listed` })], findModel: find }
}

const knowing = (id: string, family: string) =>
  finder(id, (model) => (model.startsWith(family) ? fakeTextModel({ id: model }) : undefined))

const passing = (id: string) =>
  finder(id, (model) => {
    const { pricing: _pricing, ...unpriced } = fakeTextModel({ id: model })
    return { ...unpriced, assumed: true, maxTokensUnknown: true }
  })

async function answer(providers: readonly Provider[], model: string, options: Parameters<typeof testCore>[0] = {}) {
  const { core, caller } = await testCore({ ...options, providers })
  const reply = await core.run(operations.generate, caller, { model, prompt: 'x' })
  if (!reply.success) throw new Error(reply.error.message)
  if (!('data' in reply)) throw new Error('a stream')
  const { content, model: named } = reply.data
  return { content, model: named, issues: (reply.meta.warnings ?? []).map(({ issue }) => issue) }
}

describe('a model that no provider lists', () => {
  test('a model that no provider lists goes to the provider that knows it, although one before it passes every id on', async () => {
    expect(await answer([passing('one'), knowing('two', 'large-')], 'large-2026')).toMatchObject({
      content: 'I am two',
      model: 'large-2026',
    })
  })

  test('a model that no provider lists goes to the first provider that passes every id on, with a warning and an unknown cost', async () => {
    const { content, issues } = await answer([knowing('one', 'large-'), passing('two'), passing('three')], 'new')
    expect(content).toBe('I am two')
    expect(issues).toEqual([
      '"new" is not a listed model; "two" was asked for it',
      'the price of "new" is unknown: its cost counts as 0',
    ])
  })

  test('a model that no provider lists goes to the provider that its id names, and to no other', async () => {
    const providers = [passing('one'), passing('two'), scripted('three', 'hello')]
    expect(await answer(providers, 'two/new')).toMatchObject({ content: 'I am two', model: 'two/new' })
    await expect(answer(providers, 'three/new')).rejects.toThrow('unknown model "three/new"')
  })

  test('a model that no provider lists is sent to the provider under its own id', async () => {
    const asked: string[] = []
    const provider = passing('one')
    const spy: Provider = {
      ...provider,
      generateText: async (request, call) => {
        asked.push(request.model)
        return provider.generateText!(request, call)
      },
    }
    await answer([spy], 'one/maker/new')
    expect(asked).toEqual(['maker/new'])
  })

  test('a model that no provider lists comes after aliases, and may be what an alias or a route stands for', async () => {
    const routing = {
      aliases: { 'gpt-*': 'one/new' },
      routes: { smart: { targets: ['one/newer'] } },
    }
    const aliased = await answer([passing('one')], 'gpt-9', routing)
    expect(aliased.issues[0]).toBe('"gpt-9" is an alias; "one/new" answered')
    expect(await answer([passing('one')], 'smart', routing)).toMatchObject({ content: 'I am one', model: 'smart' })
  })

  test('a model that no provider lists comes before the pattern of an alias, but not before the alias of its own id, where a provider knows it', async () => {
    const providers = [knowing('one', 'large-'), scripted('two', 'I am two')]
    const listed = 'two/any'
    const pattern = { aliases: { 'large-*': listed } }
    expect(await answer(providers, 'large-2026', pattern)).toMatchObject({ content: 'I am one', issues: [] })
    const own = { aliases: { 'large-2026': listed } }
    expect(await answer(providers, 'large-2026', own)).toMatchObject({ content: 'I am two' })
  })

  test('a model that no provider lists may have a larger limit than is assumed, and keeps the limit of a known version', async () => {
    const { fairlead } = await testCore({ providers: [knowing('one', 'large-'), passing('two')] })
    await fairlead.generate({ model: 'new', prompt: 'x', maxTokens: 1_000_000 })
    await expect(fairlead.generate({ model: 'large-2026', prompt: 'x', maxTokens: 1_000_000 })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
  })

  test('a model that no provider lists is unknown if the provider finds nothing, throws, or returns another model', async () => {
    const broken = [
      finder('one', () => undefined),
      finder('two', () => {
        throw new Error('no')
      }),
      finder('three', () => fakeTextModel({ id: 'other' })),
      finder('four', (id) => ({ ...fakeTextModel({ id }), maxTokens: -1 })),
    ]
    await expect(answer(broken, 'new')).rejects.toThrow('unknown model "new"')
  })

  test('a model that no provider lists takes no memory and no metric of its own, however many ids clients invent', async () => {
    const watched: string[] = []
    const observer = { targetAdded: ({ id }: ObservedTarget) => void watched.push(id) }
    const { fairlead } = await testCore({ providers: [passing('one'), knowing('two', 'large-')], observer })
    for (let index = 0; index < 50; index++) {
      await fairlead.generate({ model: `new-${index}`, prompt: 'x' })
      await fairlead.generate({ model: `large-${index}`, prompt: 'x' })
    }
    expect(watched).toEqual(['other', 'other'])
  })
})
