import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CodeBlock } from './code-blocks.ts'
import type { DefaultServer } from './default-server.ts'

const run = promisify(execFile)

/** Programs that load core a second time start in half the time. */
const compileCache = join(tmpdir(), 'fairlead-compiled')

/** The address of the service in the docs. */
const written = 'http://127.0.0.1:8080'

/** How long a block may take, in milliseconds, on a busy machine. */
const timeout = 300_000

export function isRunnable({ language, words }: CodeBlock): boolean {
  return ['sh', 'js', 'ts'].includes(language) && !words.includes('norun')
}

/**
 * Runs a block with the service's API key in `KEY`, and returns its output. Rejects if it fails. A program whose first line
 * is a comment with a file name, such as `// parrot.ts`, is saved under this name, so that later blocks can import it.
 *
 * @param folder the working directory, from which the packages of the workspace are resolved
 */
export async function runBlock(block: CodeBlock, folder: string, { url, key }: DefaultServer): Promise<string> {
  const { language, line } = block
  const text = block.text.replaceAll(written, url)
  const options = { cwd: folder, env: { ...process.env, NODE_COMPILE_CACHE: compileCache, KEY: key }, timeout }
  if (language === 'sh') return (await run('bash', ['-euo', 'pipefail', '-c', text], options)).stdout
  const [, name] = /^\/\/ ([\w.-]+\.m?[jt]s)\n/.exec(text) ?? []
  if (/ from '(vitest|@fairlead\/testing\/suites)'/.test(text))
    return runTests(name ?? `line-${line}.test.ts`, text, options)
  const program = join(folder, name ?? `line-${line}.${language === 'js' ? 'mjs' : 'ts'}`)
  writeFileSync(program, text)
  return (await run(process.execPath, ['--conditions=@fairlead/source', program], options)).stdout
}

/** Runs the tests of a block with vitest. */
async function runTests(file: string, text: string, options: { readonly cwd: string }): Promise<string> {
  writeFileSync(join(options.cwd, file), text)
  const config = `
import config from '../vitest.config.ts'
export default { ...config, test: { include: ['*.test.ts'] } }
`
  writeFileSync(join(options.cwd, 'vitest.config.ts'), config)
  const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')
  return (await run(process.execPath, [vitest, 'run', file], options)).stdout
}
