import { expect, test } from 'vitest'
import { hasTests, pages, runPage } from './run-page.ts'

test.each(pages.filter(hasTests))('the code blocks of %s run and return the responses shown', async (page) => {
  const outcomes = await runPage(page)
  expect(outcomes.map(({ where, seen }) => [where, seen])).toEqual(
    outcomes.map(({ where, expected }) => [where, expected]),
  )
})
