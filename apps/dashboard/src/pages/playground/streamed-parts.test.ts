import { describe, expect, test } from 'vitest'
import { type Delta, type StreamedPart, withDelta } from './streamed-parts.ts'

const assemble = (deltas: readonly Delta[]) => deltas.reduce(withDelta, [] as readonly StreamedPart[])
const call = (id: string, name: string, input_delta: string) => ({ content: '', tool_call: { id, name, input_delta } })

describe('withDelta', () => {
  test('withDelta joins the parts of a reasoning and of a text, in the order of the stream', () => {
    const deltas = [{ content: '', reasoning: 'It may' }, { content: '', reasoning: ' rain.' }, { content: 'Ye' }]
    expect(assemble([...deltas, { content: 's' }])).toEqual([
      { type: 'reasoning', text: 'It may rain.' },
      { type: 'text', text: 'Yes' },
    ])
  })

  test('withDelta joins the parts of a refusal apart from the text before it', () => {
    const deltas = [{ content: 'Well.' }, { content: '', refusal: 'I can’t ' }, { content: '', refusal: 'help.' }]
    expect(assemble(deltas)).toEqual([
      { type: 'text', text: 'Well.' },
      { type: 'refusal', text: 'I can’t help.' },
    ])
  })

  test('withDelta joins the inputs of tool calls that arrive in turns', () => {
    const deltas = [
      call('1', 'weather', '{"city":'),
      call('2', 'time', '{'),
      call('1', 'weather', '"Oslo"}'),
      call('2', 'time', '}'),
    ]
    expect(assemble(deltas)).toEqual([
      { type: 'tool_call', id: '1', name: 'weather', inputText: '{"city":"Oslo"}' },
      { type: 'tool_call', id: '2', name: 'time', inputText: '{}' },
    ])
  })
})
