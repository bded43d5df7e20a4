import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as esbuild } from 'esbuild'
import { build as vite } from 'vite'
import { tryCommand } from './run.ts'

const program = `import { createFairlead } from '@fairlead/core'
import { anthropic } from '@fairlead/provider-anthropic'
import { openaiCompatible } from '@fairlead/provider-openai-compatible'
import { restAdapter } from '@fairlead/rest-adapter'
import { scripted } from '@fairlead/testing'
const remote = [openaiCompatible({ preset: 'openai', apiKey: 'sk-1', models: 'catalog' }), anthropic({ apiKey: 'sk-2', models: 'catalog' })]
const fairlead = createFairlead({ providers: [scripted('fake', 'hello'), ...remote] })
const rest = restAdapter(fairlead.core, { service: { name: 'Bundled', version: '1.0.0' }, anonymous: true })
const body = JSON.stringify({ model: 'any', prompt: 'Greet me' })
const headers = { 'content-type': 'application/json' }
const { data } = await (await rest.handle(new Request('http://localhost/generate', { method: 'POST', headers, body }))).json()
if (data.content !== 'hello') throw new Error(JSON.stringify(data))
await fairlead.core.close()
`

/** Bundles a program with esbuild and Vite, and runs both bundles. esbuild's must not contain the locales of zod. */
export async function bundleFaults(stranger: string): Promise<readonly string[]> {
  writeFileSync(join(stranger, 'bundled.js'), program)
  const entry = join(stranger, 'bundled.js')
  await esbuild({
    entryPoints: [entry],
    outfile: join(stranger, 'esbuild.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    logLevel: 'silent',
  })
  await vite({
    root: stranger,
    logLevel: 'silent',
    build: {
      ssr: entry,
      outDir: stranger,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'vite.mjs' } },
    },
    ssr: { noExternal: true },
  })
  return ['esbuild.mjs', 'vite.mjs'].flatMap((file) => faultOf(stranger, file) ?? [])
}

/** A word of zod's German locale. */
const localized = /Ung\\xFCltig|Ungültig/

function faultOf(stranger: string, file: string): string | undefined {
  if (localized.test(readFileSync(join(stranger, file), 'utf8'))) return `${file} has the locales of zod`
  return tryCommand(process.execPath, [file], stranger)
}
