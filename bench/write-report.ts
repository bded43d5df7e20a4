import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../docs/performance.md', import.meta.url))
const oxfmt = fileURLToPath(new URL('../node_modules/oxfmt/bin/oxfmt', import.meta.url))

/** Replaces the part of docs/performance.md that a command writes, between two comments. */
export function writeReport(command: string, text: string): void {
  const begin = `<!-- Written by npm run ${command} -->`
  const end = `<!-- End of what npm run ${command} writes -->`
  const [before, rest = ''] = readFileSync(page, 'utf8').split(begin)
  const [, after] = rest.split(end)
  if (after === undefined) throw new Error(`${page} lacks the line ${begin} or ${end}`)
  writeFileSync(page, `${before}${begin}\n\n${text}\n\n${end}${after}`)
  spawnSync(process.execPath, [oxfmt, page], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The day, the processor, and the version of Node. */
export function describeMachine(): string {
  const today = new Date().toISOString().slice(0, 10)
  return `Measured on ${today} on ${cpus().length} cores of ${cpus()[0]?.model}, Node ${process.versions.node}`
}

/** A table in Markdown. All columns but the first hold numbers. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_cell, column) => (column === 0 ? '---' : '---:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** A number without decimals. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}
