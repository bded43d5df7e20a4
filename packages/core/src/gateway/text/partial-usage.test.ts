import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { begun, fakeTextModel, testCore, type TestCoreOptions } from '@fairlead/testing'
import type { RunOptions } from '../../runtime/run/run-options.ts'
import type { KeyLimits } from '../../runtime/key-limits.ts'
import type { TextEvent, AnswerUsage } from '../messages/answer.ts'
import type { TextModel } from '../model.ts'
import { action, defineFeature } from '../own-features.ts'
import { ProviderError } from '../provider-error.ts'
import type { Provider } from '../provider.ts'
import { generateText } from './generate-text.ts'

/** An event of a recorded stream, and when it arrives in milliseconds after the request. */
type Recorded = readonly [atMs: number, event: TextEvent | Error]

const start: TextEvent = { type: 'start', response: { id: 'upstream_1' } }
const counts = (promptTokens: number, completionTokens: number, more: Partial<AnswerUsage> = {}): TextEvent => ({
  type: 'usage',
  usage: { promptTokens, completionTokens, ...more },
})
const piece = (index: number, text: string): TextEvent => ({ type: 'part_delta', index, text })
const opening = (index: number, type: 'text' | 'reasoning'): TextEvent => ({
  type: 'part_start',
  index,
  part: { type, text: '' },
})
const finish = (usage: AnswerUsage): readonly TextEvent[] => [
  { type: 'part_end', index: 0 },
  { type: 'finish', finishReason: 'stop', usage },
]
/** Pieces of a token each, which arrive at a rate from a time on. */
function pieces(index: number, fromMs: number, tokens: number, perSecond: number): readonly Recorded[] {
  return Array.from({ length: tokens }, (_, n) => [fromMs + ((n + 1) * 1_000) / perSecond, piece(index, 'word')])
}
const pings = (fromMs: number, toMs: number): readonly Recorded[] =>
  Array.from({ length: Math.floor((toMs - fromMs) / 5_000) }, (_, n) => [fromMs + (n + 1) * 5_000, { type: 'alive' }])

const pricing = { input: 2, output: 100, cachedInput: 0.2 }

interface World extends TestCoreOptions {
  readonly readOn?: Provider['readOn']
  readonly model?: Partial<TextModel>
  readonly key?: KeyLimits
}

/** A provider that plays recordings one after the other, and repeats the last. */
async function playing(recordings: readonly (readonly Recorded[])[], { model, key, readOn, ...options }: World = {}) {
  let calls = 0
  const signals: AbortSignal[] = []
  const provider: Provider = {
    contract: 2,
    id: 'recorded',
    readOn,
    models: [fakeTextModel({ pricing, maxTokens: 128_000, chat: true, tools: true, reasoning: true, ...model })],
    async *streamText(_request, { signal }) {
      const recording = recordings[Math.min(calls++, recordings.length - 1)]!
      const sentAt = world.clock.now()
      signals.push(signal)
      for (const [atMs, event] of recording) {
        const waitMs = sentAt + atMs - world.clock.now()
        if (waitMs > 0) await new Promise<void>((resolve) => world.clock.schedule(waitMs, resolve))
        signal.throwIfAborted()
        if (event instanceof Error) throw event
        yield event
      }
    },
  }
  const world = await testCore({ providers: [provider], ...options })
  const { credentials, keyId } = await world.addCaller(key && { key: { limits: key } })
  const input = { model: 'any', messages: [{ role: 'user' as const, content: 'x'.repeat(4_000) }] }
  let requests = 0
  return {
    ...world,
    keyId,
    signals,
    /** Streams until a time after the request, when the caller leaves. Returns the usage record. */
    async leaveAt(ms: number, fields: object = {}, afterMs = 1) {
      const requestId = `req_${++requests}`
      const caller = new AbortController()
      const leaving = { requestId, signal: caller.signal, firstChunkMs: 1 }
      const reading = read(fields, leaving)
      await elapse(ms)
      caller.abort()
      await Promise.all([reading, elapse(afterMs)])
      const [record] = await world.stores.read((view) => view.usage.ofRequest(requestId))
      return record!
    },
  }

  async function read(fields: object, leaving: RunOptions): Promise<void> {
    const reply = await world.core.run(generateText, credentials, { ...input, ...fields, stream: true }, leaving)
    if ('events' in reply) for await (const _ of reply.events);
  }

  /** In small steps, so that what arrives is read when it arrives. */
  async function elapse(ms: number): Promise<void> {
    const end = world.clock.now() + ms
    await nextTurn()
    while (world.clock.now() < end) {
      world.clock.advance(Math.min(Math.max(100, ms / 200), end - world.clock.now()))
      await nextTurn()
    }
    await nextTurn()
  }
}

/** Each with the tokens that the upstream has written by a time, which it charges. */
const recordings: readonly {
  readonly name: string
  readonly recording: readonly Recorded[]
  readonly written: (ms: number) => number
  /** When its first byte comes, and how long it takes. */
  readonly between: readonly [number, number]
}[] = [
  {
    name: 'reasons in secret after its first event',
    recording: [
      [400, start],
      ...pings(400, 60_400),
      [60_400, opening(0, 'text')],
      ...pieces(0, 60_400, 400, 80),
      ...finish({ promptTokens: 1_000, completionTokens: 5_200 }).map((event): Recorded => [65_450, event]),
    ],
    written: (ms) => (ms - 400) * 0.08,
    between: [400, 65_400],
  },
  {
    name: 'sends nothing while it reasons',
    recording: [
      [60_000, start],
      [60_000, opening(0, 'text')],
      ...pieces(0, 60_000, 600, 80),
      ...finish({ promptTokens: 1_000, completionTokens: 5_400 }).map((event): Recorded => [67_600, event]),
    ],
    written: (ms) => ms * 0.08,
    between: [60_000, 67_500],
  },
  {
    name: 'counts its tokens with each chunk, more slowly than usual',
    recording: [
      [300, start],
      ...Array.from({ length: 59 }, (_, n): Recorded => [300 + n * 1_000, counts(1_000, n * 50)]),
      [60_000, opening(0, 'text')],
      ...pieces(0, 60_000, 100, 50),
      ...finish({ promptTokens: 1_000, completionTokens: 3_100 }).map((event): Recorded => [62_100, event]),
    ],
    written: (ms) => (ms - 300) * 0.05,
    between: [2_000, 62_000],
  },
  {
    name: 'shows its reasoning and counts nothing',
    recording: [
      [300, opening(0, 'reasoning')],
      ...pieces(0, 300, 1_500, 100),
      ...finish({ promptTokens: 1_000, completionTokens: 1_500 }).map((event): Recorded => [15_400, event]),
    ],
    written: (ms) => (ms - 300) * 0.1,
    between: [300, 15_300],
  },
]

describe.each(recordings)('a stream whose upstream $name', ({ recording, written, between: [from, to] }) => {
  test('an interrupted stream costs within 20% of what the upstream charges, wherever its caller leaves', async () => {
    const { leaveAt } = await playing([recording])
    expect(await leaveAt(to + 1_000)).toMatchObject({ outcome: 'ok' })
    const wrong: unknown[] = []
    for (let point = 1; point <= 12; point++) {
      const ms = from + Math.round(((to - from) * point) / 13)
      const charged = (1_000 * pricing.input + written(ms) * pricing.output) / 1e6
      const { costUsd, promptTokens, charged: isCharged } = await leaveAt(ms)
      const isNear = Math.abs(costUsd - charged) <= 0.2 * charged
      if (!isNear || !isCharged || promptTokens !== 1_000) wrong.push({ point, costUsd, charged, promptTokens })
    }
    expect(wrong).toEqual([])
  })
})

describe('an interrupted stream', () => {
  test('an interrupted stream of 50,000 secret tokens at $180 per million costs 9 dollars, and not its visible text', async () => {
    const recording: readonly Recorded[] = [
      [200, start],
      ...pings(200, 500_200),
      [500_200, opening(0, 'text')],
      ...pieces(0, 500_200, 30, 100),
      ...pings(500_500, 600_000),
    ]
    const { leaveAt } = await playing([recording], { model: { pricing: { input: 15, output: 180 } } })
    const { costUsd } = await leaveAt(500_500)
    expect(costUsd).toBeGreaterThan(9.02 * 0.8)
    expect(costUsd).toBeLessThan(9.02 * 1.2)
  })

  test('an interrupted stream costs the prompt that the upstream has counted, with what it read from its cache', async () => {
    const usage = { cachedPromptTokens: 20_000, cacheWriteTokens: 10_000 }
    const recording: readonly Recorded[] = [
      [200, start],
      [200, counts(50_000, 1, usage)],
      [300, opening(0, 'text')],
      [300, piece(0, 'word')],
      ...pings(300, 9_000),
    ]
    const { leaveAt } = await playing([recording], {
      model: { reasoning: false, pricing: { ...pricing, cacheWrite: 2.5 } },
    })
    expect(await leaveAt(1_000)).toMatchObject({
      outcome: 'partial',
      promptTokens: 50_000,
      cachedPromptTokens: 20_000,
      completionTokens: 1,
      costUsd: (20_000 * 2 + 20_000 * 0.2 + 10_000 * 2.5 + 100) / 1e6,
    })
  })

  test('an interrupted stream costs that prompt before its first piece, too', async () => {
    const recording: readonly Recorded[] = [[200, start], [200, counts(50_000, 1)], ...pings(200, 90_000)]
    const { leaveAt } = await playing([recording], { model: { reasoning: false } })
    expect(await leaveAt(1_000)).toMatchObject({ outcome: 'aborted', promptTokens: 50_000, costUsd: 0.1001 })
  })

  test('an interrupted stream costs its reasoning, refusal, tool input and files', async () => {
    const recording: readonly Recorded[] = [
      [100, opening(0, 'reasoning')],
      [100, piece(0, 'r'.repeat(400))],
      [100, { type: 'part_end', index: 0 }],
      [100, { type: 'part_start', index: 1, part: { type: 'refusal', text: 'n'.repeat(400) } }],
      [100, { type: 'part_start', index: 2, part: { type: 'tool_call', id: 'c', name: 'find', inputText: '' } }],
      [100, piece(2, 'i'.repeat(796))],
      [100, { type: 'part_start', index: 3, part: { type: 'file', mediaType: 'image/png', data: 'AAAA' } }],
      ...pings(100, 9_000),
    ]
    const { leaveAt } = await playing([recording], { model: { reasoning: false } })
    expect(await leaveAt(500)).toMatchObject({ completionTokens: 100 + 100 + 200 + 1_000 })
  })

  test.each([
    ['whose connection breaks', new ProviderError('retry', 'the connection was lost')],
    ['whose upstream fails', new ProviderError('give_up', 'the upstream failed')],
  ])('%s costs what its upstream has written', async (_case, error) => {
    const recording: readonly Recorded[] = [
      [200, start],
      [200, counts(2_000, 0)],
      [20_200, opening(0, 'text')],
      [20_200, piece(0, 'word')],
      [20_200, error],
    ]
    const { leaveAt } = await playing([recording])
    const { outcome, promptTokens, completionTokens } = await leaveAt(21_000)
    expect({ outcome, promptTokens }).toEqual({ outcome: 'partial', promptTokens: 2_000 })
    expect(completionTokens).toBeCloseTo(2_000, -2)
  })

  test('an interrupted stream that misses its deadline costs what its upstream may have written until then', async () => {
    const recording: readonly Recorded[] = [
      [200, start],
      [300, opening(0, 'text')],
      [300, piece(0, 'word')],
      [90_000, piece(0, 'late')],
    ]
    const { leaveAt } = await playing([recording], { timeouts: { idleMs: 10_000 } })
    const { outcome, completionTokens } = await leaveAt(60_000)
    expect(outcome).toBe('partial')
    expect(completionTokens).toBeCloseTo(1_010, -2)
  })

  test('an interrupted stream of a model that does not reason costs no time', async () => {
    const recording: readonly Recorded[] = [[100, opening(0, 'text')], [100, piece(0, 'word')], ...pings(100, 90_000)]
    const { leaveAt } = await playing([recording], { model: { reasoning: false } })
    expect(await leaveAt(60_000)).toMatchObject({ completionTokens: 1 })
  })

  test('an interrupted stream writes as fast as the operator says until its target was measured', async () => {
    const recording: readonly Recorded[] = [
      [0, start],
      [10_000, opening(0, 'text')],
      ...finish({ promptTokens: 1_000, completionTokens: 5_000 }).map((event): Recorded => [10_000, event]),
    ]
    const { leaveAt } = await playing([recording], { budgets: { tokensPerSecond: 40 } })
    expect(await leaveAt(5_000)).toMatchObject({ completionTokens: 200 })
    await leaveAt(11_000)
    expect(await leaveAt(5_000)).toMatchObject({ completionTokens: 2_500 })
  })

  test('an interrupted stream has at most as many secret tokens as the request allows', async () => {
    const recording: readonly Recorded[] = [[100, start], ...pings(100, 90_000)]
    const { leaveAt } = await playing([recording])
    expect(await leaveAt(60_000, { maxTokens: 300 })).toMatchObject({ completionTokens: 300 })
  })
})

describe('the secret reasoning of an interrupted stream', () => {
  const recording: readonly Recorded[] = [[0, start], ...pings(0, 90_000)]

  test('the secret reasoning of an interrupted stream costs at most what the call has reserved of its budget', async () => {
    const { leaveAt } = await playing([recording], { key: { budgetUsd: 8 } })
    expect(await leaveAt(60_000)).toMatchObject({ costUsd: 0.602 })
    expect(await leaveAt(80_000)).toMatchObject({ costUsd: 0.8 })
  })

  test('the secret reasoning of an interrupted stream is spent from the budget and from the tokens per minute', async () => {
    const { leaveAt, stores, keyId } = await playing([recording], { key: { budgetUsd: 8, tokensPerMinute: 100_000 } })
    const { costUsd, promptTokens, completionTokens } = await leaveAt(30_000)
    const [spend] = await stores.read((view) => view.spend.find([{ budget: keyId, period: 'total' }]))
    expect(spend).toMatchObject({ spent: costUsd * 1e8, reserved: 0 })
    expect(promptTokens + completionTokens).toBe(1_000 + 3_000)
  })
})

describe('a stream that is read on', () => {
  const recording: readonly Recorded[] = [
    [200, start],
    ...pings(200, 20_000),
    [20_000, opening(0, 'text')],
    ...pieces(0, 20_000, 40, 10),
    ...finish({ promptTokens: 1_111, completionTokens: 3_333, cachedPromptTokens: 100 }).map((event): Recorded => [
      25_000,
      event,
    ]),
  ]
  const exact = { promptTokens: 1_111, completionTokens: 3_333, cachedPromptTokens: 100 }

  test.each([
    ['before its first piece', 5_000, 'aborted'],
    ['between its pieces', 21_050, 'partial'],
    ['before its end', 24_500, 'partial'],
  ])(
    'a stream that is read on costs what its upstream counts at its end if the caller leaves %s',
    async (_when, ms, outcome) => {
      const { leaveAt, signals } = await playing([recording], { readOn: { maxMs: 60_000 } })
      expect(await leaveAt(ms, {}, 30_000)).toMatchObject({ outcome, charged: true, ...exact })
      expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    },
  )

  test('a stream that is read on is aborted at the latest after the time of its provider, and costs what is known then', async () => {
    const { leaveAt, signals } = await playing([recording], { readOn: { maxMs: 5_000 } })
    const { completionTokens } = await leaveAt(10_200, {}, 30_000)
    expect(completionTokens).toBeCloseTo(1_500, -2)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  test('a stream that is read on ends as usual if its caller stays', async () => {
    const { leaveAt, signals } = await playing([recording], { readOn: { maxMs: 60_000 } })
    expect(await leaveAt(26_000)).toMatchObject({ outcome: 'ok', ...exact })
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  })

  test('a stream that is read on is aborted at once with any other provider', async () => {
    const { leaveAt, signals } = await playing([recording])
    await leaveAt(5_000)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  test.each([0, 1.5, Number.NaN])('a stream that is read on rejects %d milliseconds at the start', async (maxMs) => {
    await expect(playing([recording], { readOn: { maxMs } })).rejects.toThrow('readOn.maxMs must be an integer')
  })
})

describe('an operation that is built on the stream of a text', () => {
  const excerpt = action({
    name: 'excerpt',
    summary: 'Returns the beginning of a text.',
    access: { scope: 'generate' },
    metered: true,
    input: z.strictObject({ pieces: z.int() }),
    output: z.object({ text: z.string() }),
    prepare: ({ text }, call, { pieces: count }) => ({
      count,
      plan: text.prepare(call, { model: 'any', prompt: 'x' }),
    }),
    run: async () => ({ text: '' }),
    stream: {
      chunk: z.object({ text: z.string() }),
      whole: (whole) => [whole],
      async *run({ text }, call, { plan: { count, plan } }) {
        let read = 0
        for await (const { content } of text.stream(call, plan)) {
          yield { text: content }
          if (++read === count) break
        }
        return { text: 'enough' }
      },
    },
  })

  async function reading(count: number, maxChunks: number) {
    const provider: Provider = {
      contract: 2,
      id: 'endless',
      models: [fakeTextModel({ pricing, streaming: true })],
      async *streamText() {
        yield counts(700, 1)
        yield* begun('four')
        for (;;) yield piece(0, 'four')
      },
    }
    const features = [defineFeature({ name: 'excerpts', operations: { excerpt } })] as const
    const { core, caller, stores } = await testCore({ providers: [provider], features })
    const reply = await core.run(excerpt, caller, { pieces: count, stream: true }, { requestId: 'req_1' })
    let chunks = 0
    if ('events' in reply)
      for await (const { type } of reply.events) if (type === 'chunk' && ++chunks === maxChunks) break
    const [record] = await stores.read((view) => view.usage.ofRequest('req_1'))
    return record
  }

  test('an operation that is built on the stream of a text costs what it has read of it, if that is enough for a result', async () => {
    expect(await reading(5, Infinity)).toMatchObject({ outcome: 'ok', promptTokens: 700, completionTokens: 4 })
  })

  test('an operation that is built on the stream of a text costs what it has read of it when its own reader leaves', async () => {
    expect(await reading(1_000, 3)).toMatchObject({
      outcome: 'partial',
      promptTokens: 700,
      completionTokens: 2,
      costUsd: 0.0016,
    })
  })
})
