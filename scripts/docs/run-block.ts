import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CodeBlock } from './code-blocks.ts'
import type { DefaultServer } from './default-server.ts'

const run = promisify(execFile)

/** The address of the service in the docs. */
const written = 'http://127.0.0.1:8080'

/** How long a block may take, in milliseconds, on a busy machine. */
const timeout = 300_000

export function isRunnable({ language, words }: CodeBlock): boolean {
  return ['sh', 'js', 'ts'].includes(language) && !words.includes('norun')
}

/** Whether a block has tests for vitest. */
export function isVitest({ text }: CodeBlock): boolean {
  return / from '(vitest|@fairlead\/testing\/suites)'/.test(text)
}

/**
 * Runs a block with the service's API key in `KEY`, and returns its output. Rejects if it fails. A program whose first line
 * is a comment with a file name, such as `// parrot.ts`, is saved under this name, so that later blocks can import it.
 *
 * @param folder the working directory, from which the packages of the workspace are resolved
 */
export async function runBlock(block: CodeBlock, folder: string, server: DefaultServer): Promise<string> {
  const { language } = block
  const options = optionsIn(folder, server)
  const text = block.text.replaceAll(written, server.url)
  if (language === 'sh') return (await run('bash', ['-euo', 'pipefail', '-c', text], options)).stdout
  const program = save(block, text, folder, language === 'js' ? 'mjs' : 'ts')
  return (await run(process.execPath, ['--conditions=@fairlead/source', program], options)).stdout
}

/** Runs the tests of blocks in one vitest, because its start takes longer than they do. Rejects if a test fails. */
export async function runVitest(blocks: readonly CodeBlock[], folder: string, server: DefaultServer): Promise<void> {
  if (blocks.length === 0) return
  for (const block of blocks) save(block, block.text, folder, 'test.ts')
  const config = `
import config from '../vitest.config.ts'
export default { ...config, test: { include: ['*.test.ts'], isolate: false, maxWorkers: 1 } }
`
  writeFileSync(join(folder, 'vitest.config.ts'), config)
  const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')
  const { stdout } = await run(process.execPath, [vitest, 'run'], optionsIn(folder, server))
  if (!new RegExp(`Test Files +${blocks.length} passed`).test(stdout))
    throw new Error(`vitest did not run every block: ${stdout}`)
}

function optionsIn(cwd: string, { key }: DefaultServer) {
  return { cwd, env: { ...process.env, NO_COLOR: '1', KEY: key }, timeout }
}

function save({ line, text: shown }: CodeBlock, text: string, folder: string, extension: string): string {
  const [, name = `line-${line}.${extension}`] = /^\/\/ ([\w.-]+\.m?[jt]s)\n/.exec(shown) ?? []
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
