import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { codeBlocks } from './code-blocks.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/tutorials/nextjs.md'), 'utf8')

/** Writes the files of the tutorial into a folder beside the dashboard's packages, which has React's types. */
function writeApp(): string {
  const folder = mkdtempSync(join(root, 'apps/dashboard/.try-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const { text } of codeBlocks(page)) {
    const [, name] = /^\/\/ (\S+\.tsx?)\n/.exec(text) ?? []
    if (name === undefined) continue
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** A module of the app. What Next.js resolves as `@/` is a relative path here. */
async function load(folder: string, name: string) {
  const path = join(folder, name)
  const up = '../'.repeat(name.split('/').length - 1)
  writeFileSync(path, readFileSync(path, 'utf8').replace("'@/lib/fairlead'", `'${up}lib/fairlead.ts'`))
  return (await import(pathToFileURL(path).href)) as { POST(request: Request): Promise<Response> }
}

function post(path: string, body: object, headers = {}) {
  return new Request(`http://localhost:3000${path}`, { method: 'POST', body: JSON.stringify(body), headers })
}

describe('the app of docs/tutorials/nextjs.md', () => {
  test('the app of docs/tutorials/nextjs.md compiles', async () => {
    const folder = writeApp()
    const options = { module: 'esnext', moduleResolution: 'bundler', target: 'es2022', jsx: 'react-jsx', strict: true }
    const compilerOptions = {
      ...options,
      lib: ['dom', 'dom.iterable', 'esnext'],
      types: ['node'],
      customConditions: ['@fairlead/source'],
      // The packages of the workspace are compiled from source.
      allowImportingTsExtensions: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      paths: { '@/*': ['./*'] },
    }
    // Of Next.js itself, the app uses one type.
    writeFileSync(join(folder, 'next.d.ts'), "declare module 'next' {\n  export type NextConfig = object\n}\n")
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*'] }))
    const output = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], { cwd: folder }).then(
      () => '',
      (error: { readonly stdout: string }) => error.stdout,
    )
    expect(output).toBe('')
  })

  test('the app of docs/tutorials/nextjs.md streams a text', async () => {
    const { POST } = await load(writeApp(), 'app/api/ideas/route.ts')
    const response = await POST(post('/api/ideas', { prompt: 'Name ideas for a coffee shop' }))
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toMatch(/\S/)
  })

  test('the app of docs/tutorials/nextjs.md returns the status of an error before the first piece', async () => {
    const { POST } = await load(writeApp(), 'app/api/ideas/route.ts')
    const response = await POST(post('/api/ideas', { prompt: '' }))
    expect([response.status, await response.json()]).toEqual([400, { error: expect.stringContaining('prompt') }])
  })

  test('the app of docs/tutorials/nextjs.md serves the REST API only with the token', async () => {
    vi.stubEnv('AI_TOKEN', 'secret')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { POST } = await load(writeApp(), 'app/api/ai/[...path]/route.ts')
    const body = { model: 'scribe', prompt: 'Write a haiku about rain' }
    const headers = { 'content-type': 'application/json' }
    expect((await POST(post('/api/ai/generate', body, headers))).status).toBe(401)
    const response = await POST(post('/api/ai/generate', body, { ...headers, authorization: 'Bearer secret' }))
    expect(await response.json()).toMatchObject({ success: true, data: { model: 'scribe' } })
  })
})
