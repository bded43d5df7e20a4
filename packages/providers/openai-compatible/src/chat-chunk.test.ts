import { describe, expect, test } from 'vitest'
import { chatChunk } from './chat-reply.ts'

const chunk = (choice: object, ...others: readonly unknown[]) => ({ id: 'c1', choices: [choice, ...others] })

describe('a chunk of a stream', () => {
  test.each([
    ['a piece of text', chunk({ index: 0, delta: { content: 'Hi' }, finish_reason: null })],
    ['a piece with empty fields', chunk({ delta: { content: '', refusal: null, tool_calls: null } })],
    ['a tool call', chunk({ delta: { content: null, tool_calls: [{ index: 0, id: 'call_a' }] } })],
    ['no choice', { choices: [] }],
  ])('a chunk of a stream is read as it was sent if it has %s', (_case, sent) => {
    const read = chatChunk.safeParse(sent)
    expect(read.success && read.data).toBe(sent)
  })

  test.each<[string, unknown]>([
    ['is a text', 'chunk'],
    ['has no list of choices', { choices: { delta: { content: 'Hi' } } }],
    ['has a choice that is a text', chunk('Hi' as never)],
    ['has a second choice without an object', chunk({ delta: { content: 'Hi' } }, 7)],
    ['has a number as its text', chunk({ delta: { content: 7 } })],
    ['has a number as its finish reason', chunk({ delta: { content: 'Hi' }, finish_reason: 7 })],
    ['has a refusal that is a number', chunk({ delta: { content: 'Hi', refusal: 7 } })],
    ['has tool calls that are no list', chunk({ delta: { content: 'Hi', tool_calls: {} } })],
  ])('a chunk of a stream is rejected if it %s', (_case, sent) => {
    expect(chatChunk.safeParse(sent).success).toBe(false)
  })
})
