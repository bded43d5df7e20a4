import { describe, expect, test } from 'vitest'
import { operations } from '../../index.ts'
import type { Provider, ProviderCall, TextRequest } from '../../provider.ts'
import { reader, scripted, testCore, textModel } from '../../testing.ts'

const sentiment = { score: 0.5, label: 'positive' } as const
const asked = { text: 'Good.', tasks: ['sentiment'] }

describe('what a provider offers', () => {
  test.each<[string, unknown]>([
    ['no tasks', { id: 'blind' }],
    ['tasks that are no lists', { id: 'blind', tasks: { sentiment: 'en' } }],
    ['languages that are none', { id: 'blind', tasks: { sentiment: ['english'] } }],
    ['an id that some stores refuse', { id: 'bl\0nd', tasks: { sentiment: ['en'] } }],
    ['half a character in its id', { id: 'bl\ud800nd', tasks: { sentiment: ['en'] } }],
    ['nothing', null],
  ])('is analyzed without an analyzer of %s, and the log says so', async (_case, analyzer) => {
    const blind = { ...reader('blind', { sentiment }), analyzers: [analyzer] } as Provider
    const { core, caller, logged } = await testCore({ providers: [blind, reader('sighted', { sentiment })] })
    expect(await core.run(operations.analyze, caller, asked)).toMatchObject({ meta: { provider: 'sighted' } })
    expect(logged).toMatchObject([{ level: 'warn', facts: { provider: 'blind' }, message: 'an analyzer is left out' }])
  })

  test('may have tasks of a later contract', async () => {
    const tasks = { sentiment: ['en'], summary: { of: 'anything' } }
    const ahead = { ...reader('ahead', { sentiment }), analyzers: [{ id: 'eyes', tasks }] } as Provider
    const { core, caller, logged } = await testCore({ providers: [ahead] })
    expect(await core.run(operations.analyze, caller, asked)).toMatchObject({ success: true })
    expect(logged).toEqual([])
  })

  test('costs nobody else anything where asking for it throws', async () => {
    const trap = Object.defineProperty({ ...scripted('trap', 'x') }, 'analyzers', {
      get() {
        throw new Error('no')
      },
    })
    const { core, caller } = await testCore({ providers: [trap, reader('sighted', { sentiment })] })
    expect(await core.run(operations.analyze, caller, asked)).toMatchObject({ meta: { provider: 'sighted' } })
  })

  test.each(['', 'a\nb', 'a\0b', 'a\udc00', 'x'.repeat(201)])('has no model called %j', async (id) => {
    const provider = { ...scripted('calm', 'x'), models: [textModel({ id }), textModel({ id: 'good' })] }
    const { core, caller, logged } = await testCore({ providers: [provider] })
    expect(await core.run(operations.models, caller, {})).toMatchObject({ data: [{ id: 'good' }] })
    expect(logged).toHaveLength(1)
  })

  test('may be listed at once, by a class', async () => {
    class Parrot {
      readonly contract = 1
      readonly id = 'parrot'
      readonly words = 'Hello'
      models() {
        return [textModel({ id: this.words })]
      }
      async generateText(_request: TextRequest, _call: ProviderCall) {
        return { content: this.words, finishReason: 'stop' as const }
      }
    }
    const { core, caller } = await testCore({ providers: [new Parrot() as unknown as Provider] })
    const reply = await core.run(operations.generate, caller, { model: 'Hello', prompt: 'x' })
    expect(reply).toMatchObject({ data: { content: 'Hello' } })
  })
})
