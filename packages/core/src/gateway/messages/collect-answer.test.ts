import { describe, expect, test } from 'vitest'
import type { TextAnswer, TextEvent } from './answer.ts'
import { answerEvents, collectAnswer } from './collect-answer.ts'
import type { AnswerPart } from './message.ts'

const usage = { promptTokens: 1, completionTokens: 2 }
const finish: TextEvent = { type: 'finish', finishReason: 'stop' }
const empty: AnswerPart = { type: 'text', text: '' }
const block = {
  type: 'opaque',
  provider: 'acme',
  dialect: 'anthropic',
  kind: 'search',
  data: { type: 'search' },
} as const

function start(index: number, part: AnswerPart = empty): TextEvent {
  return { type: 'part_start', index, part }
}

function delta(index: number, text: string): TextEvent {
  return { type: 'part_delta', index, text }
}

function end(index: number, data: object = {}): TextEvent {
  return { type: 'part_end', index, ...data }
}

function collect(...events: readonly TextEvent[]): Promise<TextAnswer> {
  return collectAnswer(stream(events))
}

async function* stream(events: Iterable<TextEvent>): AsyncGenerator<TextEvent> {
  yield* events
}

describe('collectAnswer', () => {
  test('collectAnswer joins the pieces of each part, while several are open', async () => {
    const call = { type: 'tool_call', id: 'c1', name: 'find', inputText: '' } as const
    const { parts } = await collect(
      start(0),
      start(1, call),
      delta(0, 'Let me '),
      delta(1, '{"a":'),
      delta(0, 'look.'),
      delta(1, ' 1}'),
      end(1),
      end(0),
      finish,
    )
    expect(parts).toEqual([
      { type: 'text', text: 'Let me look.' },
      { ...call, inputText: '{"a": 1}', input: { a: 1 } },
    ])
  })

  test('collectAnswer orders the parts by their starts, whatever their indexes', async () => {
    const { parts } = await collect(start(7), start(2), delta(2, 'b'), delta(7, 'a'), end(2), end(7), finish)
    expect(parts).toMatchObject([{ text: 'a' }, { text: 'b' }])
  })

  test('collectAnswer keeps what a part starts with', async () => {
    const first = { url: 'https://a.example', start: 0, end: 2 }
    const second = { url: 'https://b.example' }
    const { parts } = await collect(
      start(0, { type: 'text', text: 'He', citations: [first], providerOptions: { acme: { a: 1 } } }),
      { type: 'part_delta', index: 0, text: 'llo', citation: second },
      end(0, { providerOptions: { other: { b: 2 } }, native: { anthropic: { c: 3 } } }),
      finish,
    )
    expect(parts).toEqual([
      {
        type: 'text',
        text: 'Hello',
        citations: [first, second],
        providerOptions: { acme: { a: 1 }, other: { b: 2 } },
        native: { anthropic: { c: 3 } },
      },
    ])
  })

  test.each<[string, readonly TextEvent[], string]>([
    ['a piece before its part', [delta(0, 'a'), finish], 'a part_delta belongs to part 0, which is not open'],
    ['a piece after its part', [start(0), end(0), delta(0, 'a')], 'a part_delta belongs to part 0, which is not open'],
    ['a second end', [start(0), end(0), end(0)], 'a part_end belongs to part 0, which is not open'],
    ['a second start', [start(0), start(0)], 'part 0 starts twice'],
    ['the index of a part that has ended', [start(0), end(0), start(0)], 'part 0 starts twice'],
    ['a part without an end', [start(0), delta(0, 'a'), finish], 'the stream ended before a part of it'],
    ['no finish', [start(0), end(0)], 'the stream ended before its finish'],
  ])('collectAnswer rejects %s', async (_case, events, message) => {
    await expect(collect(...events)).rejects.toThrow(message)
  })

  test('collectAnswer takes the last counts, unless the finish has its own', async () => {
    const before: TextEvent = { type: 'usage', usage: { promptTokens: 9, completionTokens: 9 } }
    expect((await collect(before, { type: 'usage', usage }, finish)).usage).toEqual(usage)
    expect((await collect(before, { ...finish, usage } as TextEvent)).usage).toEqual(usage)
  })

  test('collectAnswer ends at the finish, and ignores pings and the name of the response', async () => {
    const named: TextEvent = { type: 'start', response: { id: 'r1' } }
    expect(await collect(named, { type: 'alive' }, finish, start(0))).toEqual({ parts: [], finishReason: 'stop' })
  })

  test('collectAnswer leaves out texts that say nothing, unless they carry data to send back', async () => {
    const signed = { providerOptions: { acme: { signature: 's' } } }
    const thought = { type: 'reasoning', text: '' } as const
    const { parts } = await collect(start(0), end(0), start(1, thought), end(1, signed), start(2), end(2), finish)
    expect(parts).toEqual([{ ...thought, ...signed }])
  })

  test('collectAnswer takes the whole of a block of the upstream from its end, if its pieces changed it', async () => {
    const whole = { type: 'search', query: 'rain' }
    const piece: TextEvent = { type: 'part_delta', index: 0, data: { query: 'rain' } }
    const { parts } = await collect(start(0, block), piece, end(0, { native: { anthropic: whole } }), finish)
    expect(parts).toEqual([{ ...block, data: whole }])
    expect((await collect(start(0, block), end(0), finish)).parts).toEqual([block])
  })

  test.each(['{"a":', '[1]', '"text"'])(
    'collectAnswer keeps the input %s of a tool call as a text alone',
    async (inputText) => {
      const call = { type: 'tool_call', id: 'c1', name: 'find', inputText } as const
      expect((await collect(start(0, call), end(0), finish)).parts).toEqual([call])
    },
  )

  test('collectAnswer reads a tool call without input as an empty object', async () => {
    const call = { type: 'tool_call', id: 'c1', name: 'find', inputText: '' } as const
    expect((await collect(start(0, call), end(0), finish)).parts).toEqual([{ ...call, inputText: '{}', input: {} }])
  })
})

describe('answerEvents', () => {
  test('answerEvents give back the same answer', async () => {
    const answer: TextAnswer = {
      parts: [
        { type: 'reasoning', text: 'Hm.', providerOptions: { acme: { signature: 's' } } },
        { type: 'text', text: 'Here.', citations: [{ url: 'https://a.example' }], native: { anthropic: { a: 1 } } },
        { type: 'refusal', text: 'No.' },
        { type: 'tool_call', id: 'c1', name: 'find', inputText: '{ "a": 1 }', input: { a: 1 } },
        { type: 'file', mediaType: 'image/png', data: 'aGk=' },
        block,
      ],
      finishReason: 'pause',
      usage,
      response: { id: 'r1', serviceTier: 'default' },
      logprobs: { content: [] },
      warnings: [{ field: 'seed', issue: 'is not supported' }],
    }
    expect(await collectAnswer(stream(answerEvents(answer)))).toEqual(answer)
  })
})
