import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { TokenText } from './token-text.ts'

/** A tokenizer whose tokens are bytes. */
const byBytes = (tokens: readonly number[]) => Buffer.from(tokens).toString()

describe('TokenText', () => {
  test('TokenText waits for the rest of a character', () => {
    const text = new TokenText(byBytes, [])
    expect([...Buffer.from('a🦊b')].map((byte) => text.push(byte))).toEqual(['a', '', '', '', '🦊', 'b'])
  })

  test('TokenText does not wait forever for an invalid character', () => {
    const text = new TokenText(byBytes, [])
    expect([0x80, 0x80, 0x80, 0x80].map((byte) => text.push(byte)).join('')).toMatch(/^\uFFFD+$/)
  })

  test('TokenText drops an incomplete character', () => {
    const text = new TokenText(byBytes, [])
    for (const byte of Buffer.from('é').subarray(0, 1)) text.push(byte)
    expect(text.flush()).toBe('')
  })

  test('TokenText gives the tokenizer the preceding tokens', () => {
    const seen: (readonly string[])[] = []
    const text = new TokenText<string>(
      (tokens, before) => {
        seen.push(before)
        return tokens.join('')
      },
      ['the', ' end'],
    )
    text.push('!')
    text.push('!')
    expect(seen.at(0)).toEqual(['the', ' end'])
    expect(seen.at(-1)).toEqual(['the', ' end', '!'])
  })
})
