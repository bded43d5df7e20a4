import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type CodeBlock, codeBlocks } from './code-blocks.ts'
import { startDefaultServer } from './default-server.ts'
import { isRunnable, isVitest, runBlock, runVitest } from './run-block.ts'

const root = join(import.meta.dirname, '../..')

/** The pages whose code blocks are run. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('docs/{*,tutorials/*}.md', { cwd: root }).sort(),
]

export function readBlocks(page: string): readonly CodeBlock[] {
  return codeBlocks(readFileSync(join(root, page), 'utf8'))
}

/** Whether a page has tests for vitest, whose start takes longer than the rest of a page. */
export function hasTests(page: string): boolean {
  return readBlocks(page).some((block) => isRunnable(block) && isVitest(block))
}

/** Where a block is, and the shape of its response, or whether it is a success; undefined if the service did not send it. */
type Outcome = readonly [where: string, shape: unknown]

/** Runs all blocks of a page against a new server, within a test. Rejects if a block fails. */
export async function runPage(
  page: string,
): Promise<{ readonly seen: readonly Outcome[]; readonly expected: readonly Outcome[] }> {
  const server = await startDefaultServer()
  onTestFinished(() => server.stop())
  const folder = mkdtempSync(join(root, '.try-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const blocks = readBlocks(page)
  const seen: Outcome[] = []
  const expected: Outcome[] = []
  for (const [index, block] of blocks.entries()) {
    if (!isRunnable(block) || isVitest(block)) continue
    const answer = jsonOf(await runBlock(block, folder, server))
    const shown = shownAfter(block, blocks[index + 1])
    const where = `${page}:${block.line}`
    seen.push([where, shown ? shapeOf(answer, shown) : (answer?.['success'] ?? true)])
    expected.push([where, shown ? shapeOf(shown, shown) : true])
  }
  await runVitest(
    blocks.filter((block) => isRunnable(block) && isVitest(block)),
    folder,
    server,
  )
  return { seen, expected }
}

type Json = Readonly<Record<string, unknown>>

/** The response that a page shows directly below a command. */
function shownAfter({ language, line, text }: CodeBlock, next: CodeBlock | undefined): Json | undefined {
  const isBelow = next && next.line <= line + text.split('\n').length + 2
  return language === 'sh' && isBelow && next.language === 'json' ? (JSON.parse(next.text) as Json) : undefined
}

function jsonOf(output: string): Json | undefined {
  return output.startsWith('{') ? (JSON.parse(output) as Json) : undefined
}

/** The keys of a value and the types of its leaves, if the page shows them; `"…"` on the page stands for omitted keys. */
function shapeOf(value: unknown, shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.length === 0 ? [] : [shapeOf((value as unknown[] | undefined)?.[0], shown[0])]
  if (typeof shown !== 'object' || shown === null) return typeof shown === 'boolean' ? value : typeof value
  if ('…' in shown) return '…'
  const members = Object.entries((value ?? {}) as Json)
  return Object.fromEntries(members.map(([name, member]) => [name, shapeOf(member, (shown as Json)[name])]))
}
