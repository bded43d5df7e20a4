import { describe, expect, test } from 'vitest'
import { operations } from '../../index.ts'
import { textAnswer, type Provider, type ProviderCall, type TextRequest } from '../../provider.ts'
import { reader, scripted, testCore, fakeTextModel } from '@fairlead/testing'

const sentiment = { score: 0.5, label: 'positive' } as const
const input = { text: 'Good.', tasks: ['sentiment'] }

describe('loadListing', () => {
  test('loadListing accepts tasks of a later version of the contract without a warning', async () => {
    const tasks = { sentiment: ['en'], summary: { of: 'anything' } }
    const ahead = { ...reader('ahead', { sentiment }), analyzers: [{ id: 'eyes', tasks }] } as Provider
    const { core, caller, logged } = await testCore({ providers: [ahead] })
    expect(await core.run(operations.analyze, caller, input)).toMatchObject({ success: true })
    expect(logged).toEqual([])
  })

  test('loadListing lists other providers when reading the analyzers of one throws', async () => {
    const trap = Object.defineProperty({ ...scripted('trap', 'x') }, 'analyzers', {
      get() {
        throw new Error('no')
      },
    })
    const { core, caller } = await testCore({ providers: [trap, reader('sighted', { sentiment })] })
    expect(await core.run(operations.analyze, caller, input)).toMatchObject({ meta: { provider: 'sighted' } })
  })

  test.each(['', 'a\nb', 'a\0b', 'a\udc00', 'x'.repeat(201)])(
    'loadListing ignores a model of an upstream with the id %j, and logs it',
    async (id) => {
      const models = async () => [fakeTextModel({ id }), fakeTextModel({ id: 'good' })]
      const provider = { ...scripted('calm', 'x'), models }
      const { core, caller, logged } = await testCore({ providers: [provider] })
      expect(await core.run(operations.models, caller, {})).toMatchObject({ data: [{ id: 'good' }] })
      expect(logged).toHaveLength(1)
    },
  )

  test('loadListing calls models() as a method, and accepts an array instead of a promise', async () => {
    class Parrot {
      readonly contract = 2
      readonly id = 'parrot'
      readonly words = 'Hello'
      models() {
        return [fakeTextModel({ id: this.words })]
      }
      async generateText(_request: TextRequest, _call: ProviderCall) {
        return textAnswer(this.words)
      }
    }
    const { core, caller } = await testCore({ providers: [new Parrot() as unknown as Provider] })
    const reply = await core.run(operations.generate, caller, { model: 'Hello', prompt: 'x' })
    expect(reply).toMatchObject({ data: { content: 'Hello' } })
  })
})
