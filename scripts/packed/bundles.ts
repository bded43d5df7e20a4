import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as esbuild } from 'esbuild'
import { build as vite } from 'vite'
import { failureOf } from './run.ts'

const program = `import { createFairlead } from '@fairlead/core'
import { scripted } from '@fairlead/testing'
const fairlead = createFairlead({ providers: [scripted('fake', 'hello')] })
const { content } = await fairlead.generate({ model: 'any', prompt: 'Greet me' })
if (content !== 'hello') throw new Error(content)
await fairlead.close()
`

/** Bundles a program with esbuild and Vite, and runs both bundles. They must not contain the locales of zod. */
export async function bundleFaults(stranger: string): Promise<readonly string[]> {
  writeFileSync(join(stranger, 'bundled.js'), program)
  const entry = join(stranger, 'bundled.js')
  await esbuild({
    entryPoints: [entry],
    outfile: join(stranger, 'esbuild.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
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

function faultOf(stranger: string, file: string): string | undefined {
  return failureOf(process.execPath, [file], stranger)
}
