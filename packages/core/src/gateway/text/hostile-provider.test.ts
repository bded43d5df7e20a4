import { describe, expect, test } from 'vitest'
import { createFairlead, FairleadError, operations } from '../../index.ts'
import { textAnswer, type Provider, type TextAnswer, type TextEvent } from '../../provider.ts'
import {
  begun,
  blankPng,
  textEnd,
  fakeImageModel,
  fakePainter,
  reader,
  scripted,
  testClock,
  testCore,
  fakeTextModel,
} from '@fairlead/testing'

const input = { model: 'any', prompt: 'greet me' }

/** A provider with a `generateText` that may violate the contract. */
function answering(generateText: () => unknown): Provider {
  return { ...scripted('liar', 'hi'), generateText: generateText as () => Promise<TextAnswer> }
}

function streaming(events: () => AsyncIterable<unknown>): Provider {
  return {
    contract: 2,
    id: 'liar',
    models: [fakeTextModel()],
    streamText: events as () => AsyncIterable<TextEvent>,
  }
}

const whole = textAnswer('hi', { usage: { promptTokens: 1, completionTokens: 1 } })

describe('a provider that violates the contract', () => {
  test.each<[string, () => unknown]>([
    [
      'throws before it returns',
      () => {
        throw new Error('secret sk-123')
      },
    ],
    ['rejects with undefined', () => Promise.reject()],
    ['returns undefined', async () => undefined],
    ['returns no parts', async () => ({ ...whole, parts: undefined })],
    ['returns a number as text', async () => ({ ...whole, parts: [{ type: 'text', text: 7 }] })],
    ['returns an unknown part', async () => ({ ...whole, parts: [{ type: 'smell', text: 'hi' }] })],
    ['returns a token count of NaN', async () => ({ ...whole, usage: { promptTokens: NaN, completionTokens: 1 } })],
    ['returns a negative token count', async () => ({ ...whole, usage: { promptTokens: -50, completionTokens: 1 } })],
    [
      'returns token counts as strings',
      async () => ({ ...whole, usage: { promptTokens: '1', completionTokens: '2' } }),
    ],
    ['returns an unknown finish reason', async () => ({ ...whole, finishReason: 'function_call' })],
    [
      'returns 300,000 warnings',
      async () => ({ ...whole, warnings: Array.from({ length: 300_000 }, () => ({ field: null, issue: 'x' })) }),
    ],
    [
      'throws a FairleadError',
      async () => {
        throw new FairleadError('UNAUTHORIZED', 'you shall not pass')
      },
    ],
  ])(
    'a provider that violates the contract fails the call without charge and logs a warning if it %s',
    async (_case, misbehave) => {
      const { core, caller, logged } = await testCore({ providers: [answering(misbehave)] })
      const reply = await core.run(operations.generate, caller, input)
      expect(reply).toMatchObject({
        error: { code: 'PROVIDER_ERROR', details: { provider: 'liar', attempts: 1 } },
        limits: { remaining: 1000 },
      })
      expect(JSON.stringify(reply)).not.toMatch(/secret|sk-123|shall not pass/)
      expect(logged).toMatchObject([{ level: 'warn', facts: { provider: 'liar' } }])
    },
  )

  test.each<[string, () => AsyncIterable<unknown>]>([
    ['is not iterable', () => ({}) as AsyncIterable<unknown>],
    ['is empty', async function* () {}],
    [
      'yields null',
      async function* () {
        yield null
      },
    ],
    [
      'yields a number as text',
      async function* () {
        yield* begun()
        yield { type: 'part_delta', index: 0, text: 7 }
      },
    ],
  ])(
    'a provider that violates the contract fails the call before the first chunk if its stream %s',
    async (_case, events) => {
      const { core, caller } = await testCore({ providers: [streaming(events)] })
      const reply = await core.run(operations.generate, caller, { ...input, stream: true })
      expect(reply).toMatchObject({ error: { code: 'PROVIDER_ERROR' }, limits: { remaining: 1000 } })
    },
  )

  test('a provider that violates the contract may yield events of a later contract, which are ignored', async () => {
    const provider = streaming(async function* () {
      yield { type: 'thought', text: 'hmm' }
      yield* begun('hi')
      yield* textEnd()
    })
    const fairlead = createFairlead({ providers: [provider] })
    expect((await fairlead.generate(input)).content).toBe('hi')
  })

  test('a provider that violates the contract may list models of a later contract, which are ignored without a warning', async () => {
    const later = { ...fakeTextModel({ id: 'vectors' }), type: 'embedding' } as unknown as ReturnType<
      typeof fakeTextModel
    >
    const { core, caller, logged } = await testCore({
      providers: [{ ...scripted('new', 'hi'), models: [later, fakeTextModel()] }],
    })
    const reply = await core.run(operations.models, caller, {})
    expect(reply).toMatchObject({ data: [{ id: 'any' }] })
    expect(logged).toEqual([])
  })

  test('a provider that violates the contract does not block the event loop with an endless stream of text', async () => {
    const provider = streaming(async function* () {
      yield* begun()
      while (true) yield { type: 'part_delta', index: 0, text: '' }
    })
    const fairlead = createFairlead({ providers: [provider], routing: { timeouts: { totalMs: 100 } } })
    await expect(fairlead.generate(input)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' })
  })

  test('a provider that violates the contract does not block the event loop with an endless stream of unknown events', async () => {
    const provider = streaming(async function* () {
      while (true) yield { type: 'thought', text: 'hmm' }
    })
    const fairlead = createFairlead({ providers: [provider], routing: { timeouts: { totalMs: 100 } } })
    await expect(fairlead.generate(input)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' })
  })

  test('a provider that violates the contract fails the call if it streams far more text than `maxTokens` allows', async () => {
    const provider = streaming(async function* () {
      yield* begun()
      while (true) yield { type: 'part_delta', index: 0, text: 'x'.repeat(1_000) }
    })
    const { core, caller } = await testCore({
      providers: [{ ...provider, models: [fakeTextModel({ maxTokens: 4_096 })] }],
    })
    const lengths: number[] = []
    for (const maxTokens of [100, 4_096]) {
      const reply = await core.run(operations.generate, caller, { ...input, maxTokens, stream: true })
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
    expect(lengths).toEqual([100_000, 131_000])
  })

  test('a provider that violates the contract completes the call even if its stream never closes after `finish`', async () => {
    const provider = streaming(async function* () {
      try {
        yield* begun('hi')
        yield* textEnd()
      } finally {
        await new Promise(() => {})
      }
    })
    const { core, caller } = await testCore({ providers: [provider] })
    expect(await core.run(operations.generate, caller, input)).toMatchObject({ data: { content: 'hi' } })
    const reply = await core.run(operations.generate, caller, { ...input, stream: true })
    const events: string[] = []
    if ('events' in reply) for await (const { type } of reply.events) events.push(type)
    expect(events).toEqual(['chunk', 'done'])
  })

  test('a provider that violates the contract completes the call even if closing its stream throws', async () => {
    const items = {
      pieces: [...begun('hi'), ...textEnd(), undefined],
      async next() {
        return { done: false as const, value: this.pieces.shift() }
      },
      return() {
        throw new Error('no')
      },
    }
    const provider = streaming(() => ({ [Symbol.asyncIterator]: () => items }))
    const { core, caller } = await testCore({ providers: [provider] })
    expect(await core.run(operations.generate, caller, input)).toMatchObject({ data: { content: 'hi' } })
  })

  test('a provider that violates the contract may split a surrogate pair between two chunks', async () => {
    const [high, low] = ['😀'.slice(0, 1), '😀'.slice(1)]
    const provider = streaming(async function* () {
      yield* begun(`a${high}`, `${low}b\0`)
      yield* textEnd()
    })
    const fairlead = createFairlead({ providers: [provider] })
    const chunks: string[] = []
    for await (const { content } of fairlead.generate.stream(input)) chunks.push(content)
    expect(chunks).toEqual(['a', '😀b\uFFFD'])
  })

  test('a provider that violates the contract may return no token counts: they are estimated, with a warning', async () => {
    const { core, caller } = await testCore({
      providers: [answering(async () => textAnswer('hello there, you'))],
    })
    expect(await core.run(operations.generate, caller, input)).toMatchObject({
      data: { usage: { promptTokens: 2, completionTokens: 4, totalTokens: 6 } },
      meta: {
        warnings: [{ field: null, issue: 'the provider returned no token counts: usage and cost are estimates' }],
      },
    })
  })

  test('a provider that violates the contract has its long warnings truncated and their invalid characters replaced', async () => {
    const warnings = [{ field: 'se\0ed', issue: '\ud800'.repeat(5_000) }]
    const { core, caller } = await testCore({ providers: [answering(async () => ({ ...whole, warnings }))] })
    expect(await core.run(operations.generate, caller, input)).toMatchObject({
      meta: { warnings: [{ field: 'se\uFFFDed', issue: '\uFFFD'.repeat(1_000) }] },
    })
  })

  test('a provider that violates the contract may return keywords in any order: the best twenty are sorted by score', async () => {
    const keywords = Array.from({ length: 30 }, (_, index) => ({ text: `word ${index}`, score: index / 30 }))
    const fairlead = createFairlead({ providers: [reader('jumbled', { keywords })] })
    const analysis = await fairlead.analyze({ text: 'x', tasks: ['keywords'] })
    expect(analysis.keywords?.map(({ text }) => text)).toEqual(
      Array.from({ length: 20 }, (_, index) => `word ${29 - index}`),
    )
  })

  test('a provider that violates the contract fails the call with an invalid analysis', async () => {
    const broken = reader('eyes', { sentiment: { score: NaN, label: 'positive' } })
    const fairlead = createFairlead({ providers: [broken] })
    const analysis = fairlead.analyze({ text: 'x', tasks: ['sentiment'] })
    await expect(analysis).rejects.toMatchObject({ code: 'PROVIDER_ERROR' })
  })

  test('a provider that violates the contract cannot change a stored image by changing its bytes later', async () => {
    const png = blankPng(256, 256)
    const fairlead = createFairlead({ providers: [fakePainter('brush', { png })] })
    const { id } = await fairlead.generateImage({ model: 'picture', prompt: 'x', size: '256x256' })
    png.fill(0)
    expect((await fairlead.core.openImage(id))?.[1]).toBe(0x50)
  })
})

describe('a list of models that the provider fetches', () => {
  test.each<[string, unknown]>([
    ['is null', () => null],
    ['never settles', () => new Promise(() => {})],
    ['rejects', () => Promise.reject(new Error('down'))],
    ['contains invalid entries', () => [null, 7]],
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
  ])(
    'a list of models that the provider fetches does not affect the other providers if it %s',
    async (_case, models) => {
      const clock = testClock()
      const broken = { ...scripted('broken', 'x'), models } as Provider
      const fairlead = createFairlead({ providers: [broken, scripted('calm', 'hi')], testing: { clock } })
      const listing = fairlead.models.list()
      await expect
        .poll(async () => {
          clock.advance(10_000)
          return (await Promise.race([listing, Promise.resolve()]))?.map(({ provider }) => provider)
        })
        .toEqual(['calm'])
    },
  )

  test('a list of models that the provider fetches is fetched again after a failure', async () => {
    const clock = testClock()
    let down = true
    const models = async () => {
      if (down) throw new Error('down')
      return [fakeTextModel()]
    }
    const fairlead = createFairlead({ providers: [{ ...scripted('late', 'hi'), models }], testing: { clock } })
    expect(await fairlead.models.list()).toEqual([])
    down = false
    clock.advance(30_000)
    await expect.poll(async () => (await fairlead.models.list()).length).toBe(1)
  })

  test('a list of models that the provider fetches may contain ids with slashes, which do not hide the models of a provider with that name', async () => {
    const aggregator = { ...scripted('router', 'from the router'), models: [fakeTextModel({ id: 'maker/any' })] }
    const fairlead = createFairlead({ providers: [aggregator, scripted('maker', 'from the maker')] })
    expect((await fairlead.generate({ model: 'maker/any', prompt: 'x' })).content).toBe('from the maker')
    expect((await fairlead.generate({ model: 'router/maker/any', prompt: 'x' })).content).toBe('from the router')
    expect((await fairlead.models.list()).map(({ id }) => id)).toEqual(['router/maker/any', 'any'])
  })

  test('a list of models that the provider fetches keeps the first of two models with the same id and logs a warning', async () => {
    const models = async () => [fakeTextModel(), fakeTextModel({ name: 'Other' })]
    const twice = { ...scripted('twice', 'hi'), models }
    const { core, caller, logged } = await testCore({ providers: [twice] })
    expect(await core.run(operations.models, caller, {})).toMatchObject({ data: [{ name: 'Any' }] })
    expect(logged).toHaveLength(1)
  })
})

describe('createFairlead', () => {
  test.each<[string, Parameters<typeof createFairlead>[0]]>([
    ['two providers with the same id', { providers: [scripted('calm', 'a'), scripted('calm', 'b')] }],
    ['a factory that was not called', { providers: [(() => scripted('calm', 'a')) as unknown as Provider] }],
    ['null as a provider', { providers: [null as unknown as Provider] }],
    ['a provider without an id', { providers: [{ ...scripted('calm', 'a'), id: undefined as unknown as string }] }],
    ['a provider id with a slash', { providers: [scripted('a/b', 'x')] }],
    ['an infinite timeout', { providers: [], routing: { timeouts: { totalMs: Infinity } } }],
    ['an unknown contract version', { providers: [{ ...scripted('calm', 'a'), contract: 3 as unknown as 2 }] }],
  ])('createFairlead rejects %s', (_case, options) => {
    expect(() => createFairlead(options)).toThrow(TypeError)
  })

  test('createFairlead closes the other resources even if a provider fails to close', async () => {
    const stuck = { ...scripted('stuck', 'x'), close: () => Promise.reject(new Error('no')) }
    const { core, logged } = await testCore({
      providers: [stuck, { ...fakePainter('brush'), models: [fakeImageModel()] }],
    })
    await core.close()
    expect(logged).toMatchObject([{ level: 'warn', facts: { provider: 'stuck' } }])
  })
})
