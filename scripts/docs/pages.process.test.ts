import { describe, expect, test } from 'vitest'
import { isRunnable } from './run-block.ts'
import { readBlocks, hasTests, pages, runPage } from './run-page.ts'

describe('the code blocks of', () => {
  test.each(pages.filter((page) => readBlocks(page).some(isRunnable) && !hasTests(page)))(
    '%s run and return the responses shown',
    async (page) => {
      const { seen, expected } = await runPage(page)
      expect(seen).toEqual(expected)
    },
  )

  test('each page have a known language', () => {
    const known = [
      'sh',
      'js',
      'ts',
      'tsx',
      'python',
      'json',
      'text',
      'graphql',
      'mirror',
      'http',
      'yaml',
      'toml',
      'ini',
      'sql',
      'nginx',
      '',
    ]
    const found = pages.flatMap((page) => readBlocks(page).map(({ language }) => language))
    expect([...new Set(found)].filter((language) => !known.includes(language))).toEqual([])
  })
})
