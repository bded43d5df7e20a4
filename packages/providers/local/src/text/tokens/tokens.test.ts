import { computingMs } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { cutAnswer } from './cut-answer.ts'
import { tokenizer } from './tokenizer.ts'
import { withinRuns } from './within-runs.ts'

describe('tokenizer', () => {
  test('tokenizer counts as o200k_base does', async () => {
    expect(await (await tokenizer()).count('The quick brown fox jumps over the lazy dog.')).toBe(10)
  })

  test('tokenizer takes a special token for plain text', async () => {
    expect(await (await tokenizer()).count('<|endoftext|>')).toBe(7)
  })

  test.each(['Grüße, 世界! 🦊🏽 done', 'a\n\n  b\t c', '👩‍👩‍👧‍👦'.repeat(50), 'ÿ\u{10ffff}x'])(
    'tokenizer gives pieces that join to the text: %j',
    async (text) => {
      const pieces = (await tokenizer()).pieces(text)
      expect(pieces.join('')).toBe(text)
      expect(pieces).toHaveLength(await (await tokenizer()).count(text))
    },
  )

  test('tokenizer never shows half a character', async () => {
    const pieces = (await tokenizer()).pieces('𓀀 and 🦊🏽'.repeat(5))
    expect(pieces.join('|')).not.toContain('\ufffd')
  })

  test('tokenizer takes 100,000 emoji in a row without losing time', async () => {
    const { count } = await tokenizer()
    const started = computingMs()
    expect(await count('🦊'.repeat(50_000))).toBeGreaterThan(50_000)
    // Uncut, the library needs some 20 s for it.
    expect(computingMs() - started).toBeLessThan(3_000)
  })
})

describe('withinRuns', () => {
  test('withinRuns leaves ordinary text whole', () => {
    expect(withinRuns('Some words, and a line.\n\nMore.')).toEqual(['Some words, and a line.\n\nMore.'])
  })

  test('withinRuns cuts a long run between characters', () => {
    const parts = withinRuns(`so: ${'🦊'.repeat(100)} end`)
    expect(parts).toEqual(['so: ', '🦊'.repeat(96), '🦊'.repeat(4), ' end'])
  })
})

describe('cutAnswer', () => {
  test('cutAnswer keeps an answer that is short enough', () => {
    expect(cutAnswer(['a', ' b'], { maxTokens: 2 })).toEqual({ pieces: ['a', ' b'], tokens: 2, finishReason: 'stop' })
  })

  test('cutAnswer ends for length at a token', () => {
    expect(cutAnswer(['a', ' b', ' c'], { maxTokens: 2 })).toEqual({
      pieces: ['a', ' b'],
      tokens: 2,
      finishReason: 'length',
    })
  })

  test('cutAnswer leaves out a character that its last token only begins', () => {
    expect(cutAnswer(['a', '', '', '🦊'], { maxTokens: 3 }).pieces).toEqual(['a'])
  })

  test('cutAnswer ends before a stop string that spans tokens', () => {
    const cut = cutAnswer(['one', ' two', ' three'], { maxTokens: 9, stop: ['o th'] })
    expect(cut).toEqual({ pieces: ['one', ' tw'], tokens: 2, finishReason: 'stop', stopSequence: 'o th' })
  })

  test('cutAnswer ends before the first of several stop strings', () => {
    expect(cutAnswer(['a', 'b', 'c'], { maxTokens: 9, stop: ['c', 'b'] })).toMatchObject({
      pieces: ['a'],
      stopSequence: 'b',
    })
  })

  test('cutAnswer does not stop for a string beyond maxTokens', () => {
    expect(cutAnswer(['a', 'b', 'c'], { maxTokens: 2, stop: ['c'] }).finishReason).toBe('length')
  })
})
