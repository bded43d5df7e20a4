import { describe, expect, test } from 'vitest'
import type { TextEvent } from './answer.ts'
import { collectAnswer } from './collect-answer.ts'
import { PartWriter } from './part-writer.ts'

const data = { providerOptions: { acme: { signature: 's' } } }

/** The parts of an answer whose events are written by a function. */
async function written(write: (writer: PartWriter) => Iterable<TextEvent>) {
  const writer = new PartWriter()
  async function* events(): AsyncGenerator<TextEvent> {
    yield* write(writer)
    yield* writer.end()
    yield { type: 'finish', finishReason: 'stop' }
  }
  return (await collectAnswer(events())).parts
}

describe('PartWriter', () => {
  test('PartWriter begins a part with its first piece, and ends it with a piece of another type', () => {
    const writer = new PartWriter()
    expect(writer.say('reasoning', 'H')).toEqual([
      { type: 'part_start', index: 0, part: { type: 'reasoning', text: '' } },
      { type: 'part_delta', index: 0, text: 'H' },
    ])
    expect(writer.say('reasoning', 'm')).toEqual([{ type: 'part_delta', index: 0, text: 'm' }])
    expect(writer.say('text', 'Hi')).toEqual([
      { type: 'part_end', index: 0 },
      { type: 'part_start', index: 1, part: { type: 'text', text: '' } },
      { type: 'part_delta', index: 1, text: 'Hi' },
    ])
    expect(writer.end()).toEqual([{ type: 'part_end', index: 1 }])
    expect(writer.end()).toEqual([])
  })

  test('PartWriter writes tool calls whose inputs arrive in turns, after the text before them', async () => {
    const parts = await written(function* (writer) {
      yield* writer.say('text', 'Let me look.')
      yield* writer.call({ id: 'c1', name: 'find' })
      yield* writer.call({ id: 'c2', name: 'ask' })
      yield* writer.input('c2', '{"b":')
      yield* writer.input('c1', '{}')
      yield* writer.input('c2', '2}')
    })
    expect(parts).toEqual([
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_call', id: 'c1', name: 'find', inputText: '{}', input: {} },
      { type: 'tool_call', id: 'c2', name: 'ask', inputText: '{"b":2}', input: { b: 2 } },
    ])
  })

  test('PartWriter begins a new part after the end of one, and ends it with its data', async () => {
    const parts = await written(function* (writer) {
      yield* writer.say('reasoning', 'One.')
      yield* writer.close(data)
      yield* writer.say('reasoning', 'Two.')
      yield* writer.call({ id: 'c1', name: 'find' })
      yield* writer.endCall('c1', data)
      yield* writer.add({ type: 'file', mediaType: 'image/png', data: 'aGk=' })
    })
    expect(parts).toEqual([
      { type: 'reasoning', text: 'One.', ...data },
      { type: 'reasoning', text: 'Two.' },
      { type: 'tool_call', id: 'c1', name: 'find', inputText: '{}', input: {}, ...data },
      { type: 'file', mediaType: 'image/png', data: 'aGk=' },
    ])
  })

  test('PartWriter writes nothing for what is not open', () => {
    const writer = new PartWriter()
    expect([writer.close(data), writer.input('c1', '{}'), writer.endCall('c1')]).toEqual([[], [], []])
  })
})
