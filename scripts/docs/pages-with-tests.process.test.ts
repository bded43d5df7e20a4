import { expect, test } from 'vitest'
import { hasTests, pages, runPage } from './run-page.ts'

test.each(pages.filter(hasTests))('the code blocks of %s run and return the responses shown', async (page) => {
  const { seen, expected } = await runPage(page)
  expect(seen).toEqual(expected)
})
