import { describe, expect, test } from 'vitest'
import { createFairlead, FairleadError, operations } from '../index.ts'
import type { Provider, TextAnswer, TextEvent } from '../provider.ts'
import { blankPng, imageModel, painter, reader, scripted, testClock, testCore, textModel } from '../testing.ts'

const asked = { model: 'any', prompt: 'greet me' }

/** A provider whose text method does as told, whatever the contract says. */
function answering(generateText: () => unknown): Provider {
  return { ...scripted('liar', 'hi'), generateText: generateText as () => Promise<TextAnswer> }
}

function streaming(events: () => AsyncIterable<unknown>): Provider {
  return {
    contract: 1,
    id: 'liar',
    models: [textModel()],
    streamText: events as () => AsyncIterable<TextEvent>,
  }
}

const whole = { content: 'hi', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 } }

describe('a provider that breaks the contract', () => {
  test.each<[string, () => unknown]>([
    [
      'throws before it returns',
      () => {
        throw new Error('secret sk-123')
      },
    ],
    ['rejects with nothing', () => Promise.reject()],
    ['answers with nothing', async () => undefined],
    ['answers without text', async () => ({ ...whole, content: undefined })],
    ['answers with a number for text', async () => ({ ...whole, content: 7 })],
    ['counts tokens as NaN', async () => ({ ...whole, usage: { promptTokens: NaN, completionTokens: 1 } })],
    ['counts tokens below nothing', async () => ({ ...whole, usage: { promptTokens: -50, completionTokens: 1 } })],
    ['counts tokens as text', async () => ({ ...whole, usage: { promptTokens: '1', completionTokens: '2' } })],
    ['ends for an unknown reason', async () => ({ ...whole, finishReason: 'tool_calls' })],
    [
      'warns without end',
      async () => ({ ...whole, warnings: Array.from({ length: 300_000 }, () => ({ field: null, issue: 'x' })) }),
    ],
    [
      'throws an error of ours',
      async () => {
        throw new FairleadError('UNAUTHORIZED', 'you shall not pass')
      },
    ],
  ])('and %s fails the call, free of charge, and tells the operator', async (_case, misbehave) => {
    const { core, caller, logged } = await testCore({ providers: [answering(misbehave)] })
    const reply = await core.run(operations.generate, caller, asked)
    expect(reply).toMatchObject({
      error: { code: 'PROVIDER_ERROR', details: { provider: 'liar', attempts: 1 } },
      limits: { remaining: 1000 },
    })
    expect(JSON.stringify(reply)).not.toMatch(/secret|sk-123|shall not pass/)
    expect(logged).toMatchObject([{ level: 'warn', facts: { provider: 'liar' } }])
  })

  test.each<[string, () => AsyncIterable<unknown>]>([
    ['is no iterable', () => ({}) as AsyncIterable<unknown>],
    ['yields nothing', async function* () {}],
    [
      'yields null',
      async function* () {
        yield null
      },
    ],
    [
      'yields a number for text',
      async function* () {
        yield { type: 'text', text: 7 }
      },
    ],
  ])('and streams what %s fails the call before its first chunk', async (_case, events) => {
    const { core, caller } = await testCore({ providers: [streaming(events)] })
    const reply = await core.run(operations.generate, caller, { ...asked, stream: true })
    expect(reply).toMatchObject({ error: { code: 'PROVIDER_ERROR' }, limits: { remaining: 1000 } })
  })

  test('may yield events of a later contract, which are passed over', async () => {
    const provider = streaming(async function* () {
      yield { type: 'thought', text: 'hmm' }
      yield { type: 'text', text: 'hi' }
      yield { type: 'finish', finishReason: 'stop', usage: whole.usage }
    })
    const fairlead = createFairlead({ providers: [provider] })
    expect((await fairlead.generate(asked)).content).toBe('hi')
  })

  test('may have models of a later contract, which are passed over in silence', async () => {
    const later = { ...textModel({ id: 'vectors' }), type: 'embedding' } as unknown as ReturnType<typeof textModel>
    const { core, caller, logged } = await testCore({
      providers: [{ ...scripted('new', 'hi'), models: [later, textModel()] }],
    })
    const reply = await core.run(operations.models, caller, {})
    expect(reply).toMatchObject({ data: [{ id: 'any' }] })
    expect(logged).toEqual([])
  })

  test('and yields text for ever does not freeze the process', async () => {
    const provider = streaming(async function* () {
      while (true) yield { type: 'text', text: '' }
    })
    const fairlead = createFairlead({ providers: [provider], timeouts: { totalMs: 100 } })
    await expect(fairlead.generate(asked)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' })
  })

  test('and yields what nobody knows for ever does not freeze the process', async () => {
    const provider = streaming(async function* () {
      while (true) yield { type: 'thought', text: 'hmm' }
    })
    const fairlead = createFairlead({ providers: [provider], timeouts: { totalMs: 100 } })
    await expect(fairlead.generate(asked)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' })
  })

  test('and streams more than the tokens asked for can be is cut off', async () => {
    const provider = streaming(async function* () {
      while (true) yield { type: 'text', text: 'x'.repeat(1_000) }
    })
    const { core, caller } = await testCore({
      providers: [{ ...provider, models: [textModel({ maxTokens: 4_096 })] }],
    })
    const lengths: number[] = []
    for (const maxTokens of [100, 4_096]) {
      const reply = await core.run(operations.generate, caller, { ...asked, maxTokens, stream: true })
      let length = 0
      let last: unknown
      if ('events' in reply) {
        for await (const event of reply.events) {
          last = event
          if (event.type === 'chunk') length += event.chunk.content.length
        }
      }
      expect(last).toMatchObject({ type: 'error', reply: { error: { code: 'PROVIDER_ERROR' } } })
      lengths.push(length)
    }
    expect(lengths).toEqual([101_000, 132_000])
  })

  test('and never tidies up after its finish has answered all the same', async () => {
    const provider = streaming(async function* () {
      try {
        yield { type: 'text', text: 'hi' }
        yield { type: 'finish', finishReason: 'stop', usage: whole.usage }
      } finally {
        await new Promise(() => {})
      }
    })
    const { core, caller } = await testCore({ providers: [provider] })
    expect(await core.run(operations.generate, caller, asked)).toMatchObject({ data: { content: 'hi' } })
    const reply = await core.run(operations.generate, caller, { ...asked, stream: true })
    const events: string[] = []
    if ('events' in reply) for await (const { type } of reply.events) events.push(type)
    expect(events).toEqual(['chunk', 'done'])
  })

  test('and throws when it is left has answered all the same', async () => {
    const items = {
      pieces: [{ type: 'text', text: 'hi' }, { type: 'finish', finishReason: 'stop', usage: whole.usage }, undefined],
      async next() {
        return { done: false as const, value: this.pieces.shift() }
      },
      return() {
        throw new Error('no')
      },
    }
    const provider = streaming(() => ({ [Symbol.asyncIterator]: () => items }))
    const { core, caller } = await testCore({ providers: [provider] })
    expect(await core.run(operations.generate, caller, asked)).toMatchObject({ data: { content: 'hi' } })
  })

  test('and splits an emoji over two pieces does not break it', async () => {
    const [high, low] = ['😀'.slice(0, 1), '😀'.slice(1)]
    const provider = streaming(async function* () {
      yield { type: 'text', text: `a${high}` }
      yield { type: 'text', text: `${low}b\0` }
      yield { type: 'finish', finishReason: 'stop', usage: whole.usage }
    })
    const fairlead = createFairlead({ providers: [provider] })
    const pieces: string[] = []
    for await (const { content } of fairlead.generate.stream(asked)) pieces.push(content)
    expect(pieces).toEqual(['a', '😀b\uFFFD'])
  })

  test('and counts no tokens has them estimated, and the caller told', async () => {
    const { core, caller } = await testCore({
      providers: [answering(async () => ({ content: 'hello there, you', finishReason: 'stop' }))],
    })
    expect(await core.run(operations.generate, caller, asked)).toMatchObject({
      data: { usage: { promptTokens: 2, completionTokens: 4, totalTokens: 6 } },
      meta: { warnings: [{ field: null, issue: 'the provider counted no tokens: usage and cost are estimates' }] },
    })
  })

  test('and warns at length, in characters that stores refuse, is cut short', async () => {
    const warnings = [{ field: 'se\0ed', issue: '\ud800'.repeat(5_000) }]
    const { core, caller } = await testCore({ providers: [answering(async () => ({ ...whole, warnings }))] })
    expect(await core.run(operations.generate, caller, asked)).toMatchObject({
      meta: { warnings: [{ field: 'se\uFFFDed', issue: '\uFFFD'.repeat(1_000) }] },
    })
  })

  test('and answers with keywords in no order has the best of them given in theirs', async () => {
    const keywords = Array.from({ length: 30 }, (_, index) => ({ text: `word ${index}`, score: index / 30 }))
    const fairlead = createFairlead({ providers: [reader('jumbled', { keywords })] })
    const analysis = await fairlead.analyze({ text: 'x', tasks: ['keywords'] })
    expect(analysis.keywords?.map(({ text }) => text)).toEqual(
      Array.from({ length: 20 }, (_, index) => `word ${29 - index}`),
    )
  })

  test('and answers with a broken analysis fails the call', async () => {
    const broken = reader('eyes', { sentiment: { score: NaN, label: 'positive' } })
    const fairlead = createFairlead({ providers: [broken] })
    const analysis = fairlead.analyze({ text: 'x', tasks: ['sentiment'] })
    await expect(analysis).rejects.toMatchObject({ code: 'PROVIDER_ERROR' })
  })

  test('and changes the bytes of its image later changes nothing that was kept', async () => {
    const png = blankPng(256, 256)
    const fairlead = createFairlead({ providers: [painter('brush', { png })] })
    const { id } = await fairlead.generateImage({ model: 'picture', prompt: 'x', size: '256x256' })
    png.fill(0)
    expect((await fairlead.openImage(id))?.[1]).toBe(0x50)
  })
})

describe('a list of models', () => {
  test.each<[string, unknown]>([
    ['is null', null],
    ['never comes', () => new Promise(() => {})],
    ['can not be had', () => Promise.reject(new Error('down'))],
    ['is a list of nothings', [null, 7]],
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
  ])('that %s costs nobody else anything', async (_case, models) => {
    const clock = testClock()
    const broken = { ...scripted('broken', 'x'), models } as Provider
    const fairlead = createFairlead({ providers: [broken, scripted('calm', 'hi')], clock })
    const listing = fairlead.models.list()
    await expect
      .poll(async () => {
        clock.advance(10_000)
        return (await Promise.race([listing, Promise.resolve()]))?.map(({ provider }) => provider)
      })
      .toEqual(['calm'])
  })

  test('that could not be had is asked for again', async () => {
    const clock = testClock()
    let down = true
    const models = async () => {
      if (down) throw new Error('down')
      return [textModel()]
    }
    const fairlead = createFairlead({ providers: [{ ...scripted('late', 'hi'), models }], clock })
    expect(await fairlead.models.list()).toEqual([])
    down = false
    clock.advance(30_000)
    await expect.poll(async () => (await fairlead.models.list()).length).toBe(1)
  })

  test('may hold ids with slashes, which take nothing from the provider of that name', async () => {
    const aggregator = { ...scripted('router', 'from the router'), models: [textModel({ id: 'maker/any' })] }
    const fairlead = createFairlead({ providers: [aggregator, scripted('maker', 'from the maker')] })
    expect((await fairlead.generate({ model: 'maker/any', prompt: 'x' })).content).toBe('from the maker')
    expect((await fairlead.generate({ model: 'router/maker/any', prompt: 'x' })).content).toBe('from the router')
    expect((await fairlead.models.list()).map(({ id }) => id)).toEqual(['router/maker/any', 'any'])
  })

  test('with one id twice keeps the first, and says so', async () => {
    const twice = { ...scripted('twice', 'hi'), models: [textModel(), textModel({ name: 'Other' })] }
    const { core, caller, logged } = await testCore({ providers: [twice] })
    expect(await core.run(operations.models, caller, {})).toMatchObject({ data: [{ name: 'Any' }] })
    expect(logged).toHaveLength(1)
  })
})

describe('createFairlead', () => {
  test.each<[string, Parameters<typeof createFairlead>[0]]>([
    ['two providers of one name', { providers: [scripted('calm', 'a'), scripted('calm', 'b')] }],
    ['a factory that was not called', { providers: [(() => scripted('calm', 'a')) as unknown as Provider] }],
    ['nothing for a provider', { providers: [null as unknown as Provider] }],
    ['a provider without a name', { providers: [{ ...scripted('calm', 'a'), id: undefined as unknown as string }] }],
    ['a provider whose name has a slash', { providers: [scripted('a/b', 'x')] }],
    ['a time-out that no timer can wait for', { providers: [], timeouts: { totalMs: Infinity } }],
    ['another contract', { providers: [{ ...scripted('calm', 'a'), contract: 2 as 1 }] }],
  ])('refuses %s', (_case, options) => {
    expect(() => createFairlead(options)).toThrow(TypeError)
  })

  test('closes the stores even where a provider can not close', async () => {
    const stuck = { ...scripted('stuck', 'x'), close: () => Promise.reject(new Error('no')) }
    const { core, logged } = await testCore({ providers: [stuck, { ...painter('brush'), models: [imageModel()] }] })
    await core.close()
    expect(logged).toMatchObject([{ level: 'warn', facts: { provider: 'stuck' } }])
  })
})
