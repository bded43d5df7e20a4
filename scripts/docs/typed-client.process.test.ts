import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startDefaultServer } from './default-server.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const example = join(root, 'examples/typed-client')

/** A folder beside the example's packages, with the types that the example generates from the document. */
async function folderWithTypes() {
  const folder = mkdtempSync(join(example, '.try-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const cli = join(example, 'node_modules/openapi-typescript/bin/cli.js')
  const output = ['--default-non-nullable=false', '--output', join(folder, 'fairlead.d.ts')]
  await run(process.execPath, [cli, join(root, 'docs/openapi.json'), ...output])
  return folder
}

async function compile(folder: string, file: string): Promise<string> {
  const options = { module: 'nodenext', target: 'es2024', strict: true, exactOptionalPropertyTypes: true, noEmit: true }
  const compilerOptions = { ...options, allowImportingTsExtensions: true, types: ['node'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return run(process.execPath, [tsc], { cwd: folder }).then(
    () => '',
    (error: { readonly stdout: string }) => error.stdout,
  )
}

describe('a client with types generated from the OpenAPI document', () => {
  test('a client with types generated from the OpenAPI document compiles, and receives responses from the service', async () => {
    const folder = await folderWithTypes()
    copyFileSync(join(example, 'main.ts'), join(folder, 'main.ts'))
    expect(await compile(folder, 'main.ts')).toBe('')
    const { url, key, stop } = await startDefaultServer()
    onTestFinished(stop)
    const env = { ...process.env, FAIRLEAD_URL: url, KEY: key }
    const { stdout } = await run(process.execPath, [join(folder, 'main.ts')], { env })
    expect(stdout.split('\n').slice(3)).toEqual(['pending', 'NOT_FOUND', 'ORDER-1001 London', ''])
  })

  test('a client with types generated from the OpenAPI document does not compile with invalid requests or unknown fields of responses', async () => {
    const folder = await folderWithTypes()
    writeFileSync(join(folder, 'slips.ts'), slips)
    expect(await compile(folder, 'slips.ts')).toBe('')
  })
})

const slips = `
import createClient from 'openapi-fetch'
import type { paths } from './fairlead.d.ts'

const { GET, POST } = createClient<paths, 'application/json'>({})
const prompt = { model: 'scribe', prompt: 'hi' }

// @ts-expect-error the model is missing
await POST('/generate', { body: { prompt: 'hi' } })
// @ts-expect-error it is a number
await POST('/v1/generate', { body: { ...prompt, temperature: 'hot' } })
// @ts-expect-error there is no such task
await POST('/analyze', { body: { text: 'hi', tasks: ['mood'] } })
// @ts-expect-error the id is missing
await GET('/api/v1/users/{id}', {})
// @ts-expect-error there is no such path
await GET('/nowhere', {})

const { data, error } = await POST('/v1/generate', { body: prompt })
const hoisted: string | undefined = data?.content
const code: 'INVALID_REQUEST' | 'CONTENT_REFUSED' | 'QUOTA_EXCEEDED' | string | undefined = error?.error.code
// @ts-expect-error the wire is written in snake case
const reason = data?.data.finishReason
void [hoisted, code, reason]
`
