import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import type { ApiDocument } from './testing/breaking-changes/api-document.ts'
import { breakingChanges } from './testing/breaking-changes/breaking-changes.ts'
import { serveApp } from './testing/serve-app.ts'

const root = join(import.meta.dirname, '../../..')
const committed = join(root, 'docs/openapi.json')
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string
}

/** The document, as the service has it on its defaults. */
async function servedDocument(): Promise<string> {
  const { ask } = await serveApp({ baseUrl: 'http://127.0.0.1:8080', service: { name: 'Fairlead', version } })
  return (await ask('/openapi.json')).text()
}

describe('the document of the service', () => {
  test('the document of the service passes the recommended rules of Redocly without a warning', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: await servedDocument(), config, absoluteRef: '/openapi.json' })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  })

  // `npm run generate` writes the document with the second expectation; a change that breaks clients fails before that.
  test('the document of the service equals docs/openapi.json, without breaking changes', async () => {
    const served = await servedDocument()
    const before = JSON.parse(readFileSync(committed, 'utf8')) as ApiDocument
    expect(
      breakingChanges(before, JSON.parse(served) as ApiDocument),
      'breaks clients; if this part is not committed yet, run git restore docs/openapi.json',
    ).toEqual([])
    await expect(`${served}\n`, 'out of date; npm run generate writes it').toMatchFileSnapshot(committed)
  })

  test('the document of the service describes the pages of the service', async () => {
    const { paths } = JSON.parse(await servedDocument()) as ApiDocument
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        '/',
        '/images/{id}.png',
        '/openapi.json',
        '/openapi.yaml',
        '/healthz',
        '/readyz',
        '/metrics',
      ]),
    )
  })
})
