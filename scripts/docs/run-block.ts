import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CodeBlock } from './code-blocks.ts'
import type { DefaultServer } from './default-server.ts'

const run = promisify(execFile)

/** Where the pages say that the service is. */
const written = 'http://127.0.0.1:8080'

/** How long a block may take, in milliseconds, on a machine that does other things too. */
const timeout = 60_000

export function isRunnable({ language, words }: CodeBlock): boolean {
  return ['sh', 'js', 'ts'].includes(language) && !words.includes('norun')
}

/**
 * Runs a block as its reader would, with the service's key in `KEY`; answers with what it wrote. Rejects where it fails.
 *
 * @param folder where it runs; the packages of the workspace are resolved from there
 */
export async function runBlock(block: CodeBlock, folder: string, { url, key }: DefaultServer): Promise<string> {
  const { language, line } = block
  const text = block.text.replaceAll(written, url)
  const options = { cwd: folder, env: { ...process.env, KEY: key }, timeout }
  if (language === 'sh') return (await run('bash', ['-euo', 'pipefail', '-c', text], options)).stdout
  const program = join(folder, `line-${line}.${language === 'js' ? 'mjs' : 'ts'}`)
  writeFileSync(program, text)
  return (await run(process.execPath, ['--conditions=@fairlead/source', program], options)).stdout
}
