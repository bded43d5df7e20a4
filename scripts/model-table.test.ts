import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatted } from './formatted.ts'
import { modelTable } from './model-table.ts'

const page = new URL('../docs/models.md', import.meta.url)

test('docs/models.md has the catalog below its introduction', async () => {
  const [introduction = ''] = readFileSync(page, 'utf8').split(/^## /m)
  const written = formatted(`${introduction}${modelTable()}`, 'models.md')
  await expect(written, 'out of date; npm run generate writes it').toMatchFileSnapshot(page.pathname)
})
