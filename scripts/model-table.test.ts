import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { modelTable } from './model-table.ts'

/** Ignores the padding that the formatter adds to tables. */
const words = (markdown: string) => markdown.replaceAll(/[-\s]+/g, ' ').trim()

test('docs/models.md is up to date with the catalogue; scripts/write-model-table.ts writes it', () => {
  const page = readFileSync(new URL('../docs/models.md', import.meta.url), 'utf8')
  expect(words(page)).toContain(words(modelTable()))
})
