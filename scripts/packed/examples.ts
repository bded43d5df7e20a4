import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { codeBlocks } from '../docs/code-blocks.ts'
import { tryCommand } from './run.ts'

export interface Example {
  /** Its file, in the stranger's folder. */
  readonly file: string
  /** False if it needs an API key or another server. */
  readonly isRunnable: boolean
}

/** Packages that examples import besides ours, with the package of ours that has them. */
const others = { zod: 'packages/core', vitest: 'packages/core', '@ai-sdk/openai': 'packages/providers/ai-sdk' }

/** Writes the TypeScript of each README to a separate file. */
export function writeExamples(
  stranger: string,
  packages: readonly { readonly name: string; readonly folder: string }[],
): readonly Example[] {
  writeFileSync(join(stranger, 'package.json'), '{ "type": "module" }')
  mkdirSync(join(stranger, 'node_modules/@ai-sdk'), { recursive: true })
  for (const [name, source] of Object.entries(others)) {
    symlinkSync(realpathSync(resolve(source, 'node_modules', name)), join(stranger, 'node_modules', name))
  }
  return packages.flatMap(({ name, folder }) =>
    codeBlocks(readFileSync(join(folder, 'README.md'), 'utf8'))
      .filter(({ language }) => language === 'ts')
      .map(({ text, words, line }) => {
        const kind = text.includes("from 'vitest'") ? 'test.ts' : 'ts'
        const file = `${name.replace('@fairlead/', '')}-${line}.${kind}`
        writeFileSync(join(stranger, file), text)
        return { file, isRunnable: !words.includes('norun') }
      }),
  )
}

/** Runs the examples that need nothing else. */
export function exampleFaults(stranger: string, examples: readonly Example[]): readonly string[] {
  return examples
    .filter(({ isRunnable }) => isRunnable)
    .flatMap(({ file }) => {
      const command = file.endsWith('.test.ts') ? ['node_modules/vitest/vitest.mjs', 'run', file] : [file]
      return tryCommand(process.execPath, command, stranger) ?? []
    })
}
