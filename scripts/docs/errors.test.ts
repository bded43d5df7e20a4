import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorStatus } from '@fairlead/rest-adapter'
import { expect, test } from 'vitest'

const page = readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8')

test('docs/errors.md lists exactly the error codes, with their statuses', () => {
  const rows = [...page.matchAll(/^\| (\d{3}) +\| `([A-Z_]+)` /gm)].map(([, status, code]) => [code, Number(status)])
  expect(Object.fromEntries(rows)).toEqual(errorStatus)
})
