import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { brotliDecompressSync } from 'node:zlib'
import * as fc from 'fast-check'
import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { packTokens } from '../../../tokens/pack-tokens.ts'
import { anyCharacter } from '../../../../../core/src/testing/any-character.ts'
import { loadBytePairs } from './byte-pairs.ts'

const bytePairs = await loadBytePairs()

/** The tokens of gpt-tokenizer, an independent implementation; special tokens are plain text. */
function expectedTokens(text: string): number {
  return encode(text, { disallowedSpecial: new Set() }).length
}

describe('loadBytePairs', () => {
  test('loadBytePairs reads the table that tiktoken publishes', () => {
    const packed = readFileSync(new URL('../../../tokens/o200k_base.br', import.meta.url))
    expect(brotliDecompressSync(packed).equals(packTokens())).toBe(true)
  })

  test('loadBytePairs divides any text into as many tokens as gpt-tokenizer does', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 30 }),
      fc.string({ unit: fc.constantFrom(..."aAeEtT \n\t.'’/0129éßжД世界🦊\u0301\ufeff"), maxLength: 60 }),
    )
    fc.assert(
      fc.property(text, (any) => {
        // gpt-tokenizer has lost the token of the byte order mark.
        const sample = any.replaceAll('\ufeff', '')
        const tokens = bytePairs.encode(sample)
        expect(tokens).toHaveLength(expectedTokens(sample))
        expect(Buffer.from(tokens.join(''), 'latin1').equals(Buffer.from(sample))).toBe(true)
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 50), seed: 14 },
    )
  })

  test('loadBytePairs has one token for a byte order mark, as tiktoken has', () => {
    expect(bytePairs.encode('\ufeff')).toEqual(['\xef\xbb\xbf'])
  })

  test('loadBytePairs keeps no text in memory', () => {
    const before = heapInUse()
    for (const letter of 'abcdefghij') {
      const text = Buffer.from(`${' '.repeat(1_000_000)}${letter.repeat(20)}`).toString()
      bytePairs.encode(text.slice(-21))
    }
    expect(heapInUse() - before).toBeLessThan(5_000_000)
  })

  test('loadBytePairs divides prose and code as gpt-tokenizer does', () => {
    for (const source of ['../../../README.md', './tokenizer.ts']) {
      const text = readFileSync(new URL(source, import.meta.url), 'utf8')
      const expected = encode(text, { disallowedSpecial: new Set() }).map((token) => decode([token]))
      expect(bytePairs.encode(text)).toEqual(expected)
    }
  })
})

/** In bytes, after a garbage collection. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
