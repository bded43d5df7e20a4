import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { codeBlocks } from '../../../../scripts/docs/code-blocks.ts'
import { type Imported, toTypeScript } from './imported.ts'
import { fromLitellm } from './litellm.ts'
import { litellmDocument } from './litellm-fields.ts'
import { portkeyDocument, withSnakeCase } from './portkey-fields.ts'
import { fromPortkey } from './portkey.ts'

describe('the guides', () => {
  test('the guides show what a configuration of LiteLLM becomes', () => {
    const { yaml, ...shown } = readBlocks('migrate-litellm.md')
    expect(printed(fromLitellm(litellmDocument.parse(parse(yaml!, { version: '1.1' }))))).toEqual(shown)
  })

  test('the guides show what a Portkey config becomes', () => {
    const { json, ...shown } = readBlocks('migrate-portkey.md')
    const document = portkeyDocument.parse(withSnakeCase(JSON.parse(json!)))
    const options = { name: 'gpt-5.6', model: 'gpt-5.6', virtualKeys: new Map() }
    expect(printed(fromPortkey(document, options))).toEqual(shown)
  })
})

/** The first block of each language, other than commands. */
function readBlocks(page: string): Readonly<Record<string, string>> {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs', page), 'utf8')
  const blocks = codeBlocks(text).filter(({ language }) => language !== 'sh')
  return Object.fromEntries(blocks.toReversed().map((block) => [block.language, block.text]))
}

function printed({ config, notes }: Imported) {
  return {
    ts: toTypeScript(config),
    text: notes
      .lines()
      .map((line) => `note  ${line}\n`)
      .join(''),
  }
}
