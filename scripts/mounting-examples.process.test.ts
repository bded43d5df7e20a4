import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const execute = promisify(execFile)

async function run(example: string, cwd = '.'): Promise<string> {
  const program = join(import.meta.dirname, '../examples', example, 'main.ts')
  const env = { ...process.env, PORT: '0', NO_COLOR: '1' }
  return (await execute(process.execPath, ['--conditions=@fairlead/source', program], { env, cwd })).stdout
}

test('a text, a stream, an image and an analysis need no server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-embed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(await run('embed', folder)).toMatch(/^positive$/m)
  expect(readdirSync(folder)).toEqual(['lake.png'])
})

test('REST and GraphQL run in a Hono app, with streaming', async () => {
  const printed = await run('hono')
  expect(printed).toMatch(/^REST .*"success":true,.*"provider":"local"/m)
  expect(printed).toMatch(/^event: chunk\ndata: .*\n\n[^]*event: done\ndata: /m)
  expect(printed).toMatch(/^GraphQL .*"meta":\{"provider":"local"\}/m)
})

test('REST and GraphQL run in an Express app, beside its own pages', async () => {
  const printed = await run('express')
  expect(printed).toMatch(/^A shop that writes its own texts\.$/m)
  expect(printed).toMatch(/success: true,[^]*provider: 'local'/)
  expect(printed).toMatch(/data: \{ models: \[ (?:\[Object\],? ?)+\] \}/)
})

test('an operation of one’s own is a method, a REST route, a GraphQL field and an OpenAPI path', async () => {
  const printed = await run('own-operation')
  expect(printed).toMatch(/^method Translate into en:$/m)
  expect(printed).toMatch(/^chunk Translate$/m)
  expect(printed).toMatch(/^REST .*"success":true,.*"provider":"local"/m)
  expect(printed).toMatch(/^refused .*"code":"UNAUTHORIZED"/m)
  expect(printed).toMatch(/^invalid .*"field":"to"/m)
  expect(printed).toMatch(/^GraphQL \{"data":\{"translate":/m)
  expect(printed).toMatch(/^OpenAPI \["\/translations"\]$/m)
})

test('a feature of one’s own has a scope, a table, events, usage, and routes', async () => {
  const printed = await run('own-feature')
  expect(printed).toMatch(/^method Buy tea\.$/m)
  expect(printed).toMatch(/^REST "Water the plants\."$/m)
  expect(printed).toMatch(/^GraphQL \{"data":\{"notes":\{"nodes":\[\{"text":"Water the plants\."\}\]\}/m)
  expect(printed).toMatch(/^OpenAPI \["\/notes"\]$/m)
  expect(printed).toMatch(/^with the scope \{"data":\{"notes":\{"nodes":\[\{/m)
  expect(printed).toMatch(/^unknown scope scopes\[0\] must be one of .*"notes"; did you mean "notes"\?$/m)
  expect(printed).toMatch(/^events note\.added, note\.added$/m)
  expect(printed).toMatch(/^usage \[\{"operation":"addNote","requests":1,"errors":0,"charged":1,/m)
})
