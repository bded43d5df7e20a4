import { join } from 'node:path'
import { errorCodes } from '@fairlead/core/adapter'
import { describe, expect, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'
import { recordExamples } from './testing/record-examples.ts'

const kept = join(import.meta.dirname, '../../../packages/rest-adapter/src/openapi/examples.json')

describe('the examples of the document', () => {
  test('the examples of the document are what the service answers, of every operation and every failure', async () => {
    const seen = await recordExamples()
    const { ask } = await serveApp()
    const { paths } = (await (await ask('/openapi.json')).json()) as { paths: Paths }
    const documented = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
    expect(Object.keys(seen.operations).sort(), 'call each operation once in testing/record-examples.ts').toEqual(
      documented.sort(),
    )
    expect(Object.keys(seen.failures).sort()).toEqual([...errorCodes].sort())
    await expect(`${JSON.stringify(seen, null, 2)}\n`, 'out of date; npm run generate writes it').toMatchFileSnapshot(
      kept,
    )
  })
})

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
