import { describe, expect, test } from 'vitest'
import type { AnswerPart } from '../messages/message.ts'
import { ChunkWriter } from './text-chunks.ts'
import type { CheckedEvent } from '../messages/event-check.ts'

const [high, low] = ['😀'.slice(0, 1), '😀'.slice(1)]
const text: AnswerPart = { type: 'text', text: '' }
const call: AnswerPart = { type: 'tool_call', id: 'c1', name: 'find', inputText: '' }

/** The chunks of events, with the part that each of them belongs to. */
function chunks(...events: readonly (readonly [CheckedEvent, AnswerPart?])[]) {
  const writer = new ChunkWriter()
  return events.map(([event, part]) => writer.chunkOf(event, part))
}

function delta(index: number, piece: string): CheckedEvent {
  return { type: 'part_delta', index, text: piece }
}

describe('the chunks of a stream', () => {
  test('the chunks of a stream keep both halves of a surrogate pair together, in each of two open parts', () => {
    expect(
      chunks(
        [delta(0, `a${high}`), text],
        [delta(1, `"b${high}`), call],
        [delta(0, `${low}c`), text],
        [delta(1, low), call],
      ),
    ).toEqual([
      { content: 'a' },
      { content: '', toolCall: { id: 'c1', name: 'find', inputDelta: '"b' } },
      { content: '😀c' },
      { content: '', toolCall: { id: 'c1', name: 'find', inputDelta: '😀' } },
    ])
  })

  test('the chunks of a stream replace half a pair that nothing follows', () => {
    expect(chunks([delta(0, high), text], [{ type: 'part_end', index: 0 }, text])).toEqual([
      undefined,
      { content: '\uFFFD' },
    ])
    expect(chunks([delta(0, high), text], [delta(0, 'a'), text])).toEqual([undefined, { content: '\uFFFDa' }])
  })

  test('the chunks of a stream name a tool before its input begins', () => {
    expect(chunks([{ type: 'part_start', index: 0, part: call }, call])).toEqual([
      { content: '', toolCall: { id: 'c1', name: 'find', inputDelta: '' } },
    ])
  })

  test('the chunks of a stream carry the data of a part with its end', () => {
    const providerOptions = { acme: { signature: 's' } }
    expect(chunks([{ type: 'part_end', index: 0, providerOptions }, text])).toEqual([{ content: '', providerOptions }])
  })

  test('the chunks of a stream carry the counts so far once, with the next piece', () => {
    const usage = { promptTokens: 1, completionTokens: 2 }
    expect(chunks([{ type: 'usage', usage }], [delta(0, 'a'), text], [delta(0, 'b'), text])).toEqual([
      undefined,
      { content: 'a', usage: { ...usage, totalTokens: 3 } },
      { content: 'b' },
    ])
  })

  test('the chunks of a stream leave out files and blocks of the upstream', () => {
    const file: AnswerPart = { type: 'file', mediaType: 'image/png', data: 'aGk=' }
    const block: AnswerPart = { type: 'opaque', provider: 'p', dialect: 'google', kind: 'search', data: {} }
    const started = [file, block].map((part, index) => [{ type: 'part_start', index, part }, part] as const)
    expect(chunks(...started)).toEqual([undefined, undefined])
  })
})
