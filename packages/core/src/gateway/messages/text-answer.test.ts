import { describe, expect, test } from 'vitest'
import { collectAnswer } from './collect-answer.ts'
import { type Message, answerText } from './message.ts'
import { lastPrompt, textAnswer, textEvents, textModel } from './text-answer.ts'

const usage = { promptTokens: 1, completionTokens: 2 }

async function* arriving(...pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
}

describe('lastPrompt', () => {
  test('lastPrompt is the text of the last message, without its images', () => {
    const image = { type: 'image', source: { kind: 'url', url: 'https://a.example/b.png' } } as const
    const messages: readonly Message[] = [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', content: [{ type: 'text', text: 'What ' }, image, { type: 'text', text: 'is it?' }] },
    ]
    expect(lastPrompt({ messages })).toBe('What is it?')
  })
})

describe('textAnswer', () => {
  test('textAnswer is one text that ended by itself, unless the facts say otherwise', () => {
    expect(textAnswer('Hi')).toEqual({ parts: [{ type: 'text', text: 'Hi' }], finishReason: 'stop' })
    expect(textAnswer('Hi', { finishReason: 'length', usage })).toMatchObject({ finishReason: 'length', usage })
  })
})

describe('textOf', () => {
  test('textOf joins the texts of an answer, without its reasoning and refusals', () => {
    const parts = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'a' },
      { type: 'refusal', text: 'No.' },
      { type: 'text', text: 'b' },
    ] as const
    expect([answerText({ parts }), answerText({ parts: parts.slice(1, 2) }), answerText({ parts: [] })]).toEqual([
      'ab',
      'a',
      '',
    ])
  })
})

describe('textEvents', () => {
  test('textEvents are a stream of the same answer', async () => {
    expect(await collectAnswer(textEvents(['Hello', ' you'], { usage }))).toEqual(textAnswer('Hello you', { usage }))
    expect(await collectAnswer(textEvents(arriving('Hello', ' you')))).toEqual(textAnswer('Hello you'))
  })

  test('textEvents ask for the facts at the end of the text', async () => {
    let length = 0
    async function* pieces() {
      for (const piece of ['a', 'bc']) {
        length += piece.length
        yield piece
      }
    }
    const events = textEvents(pieces(), () => ({ usage: { promptTokens: 1, completionTokens: length } }))
    expect((await collectAnswer(events)).usage).toEqual({ promptTokens: 1, completionTokens: 3 })
  })
})

describe('textModel', () => {
  test('textModel is free of charge, and takes the facts that are given', () => {
    expect(textModel('shout', { maxTokens: 20 })).toMatchObject({
      id: 'shout',
      type: 'text',
      maxTokens: 20,
      pricing: { input: 0, output: 0 },
    })
  })
})
