import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** How long a file took the last time that it ran, and how many processes wanted each core of the machine then. */
export interface TestTime {
  readonly seconds: number
  readonly load: number
}

export interface TestRun {
  /** Tests of the last run. */
  readonly passed: number
  /** Tests of the last run, and files that broke before their tests. */
  readonly failed: number
  /** Of this run and of earlier ones, by path. */
  readonly files: Readonly<Record<string, TestTime>>
}

const root = join(import.meta.dirname, '../..')
const record = join(root, 'node_modules/.cache/fairlead-tests.json')

/** The most seconds of a file on an idle machine, unless it is of `npm run fuzz` or `npm run clients`. */
const maxSeconds = 20

/** The record of the last runs; undefined before the first. */
export function lastRun(): TestRun | undefined {
  return existsSync(record) ? (JSON.parse(readFileSync(record, 'utf8')) as TestRun) : undefined
}

/** Keeps the times of files that this run left out. */
export function recordRun(run: TestRun): void {
  const files = { ...lastRun()?.files, ...run.files }
  const existing = Object.entries(files).filter(([path]) => existsSync(join(root, path)))
  mkdirSync(dirname(record), { recursive: true })
  writeFileSync(record, JSON.stringify({ ...run, files: Object.fromEntries(existing) }))
}

/**
 * Files that belong to `npm run fuzz` or `npm run clients`. A file may take twice as much longer on a busy machine, because
 * the load is known only for its last minute.
 */
export function slowFiles({ files }: Pick<TestRun, 'files'>): readonly string[] {
  return Object.entries(files)
    .filter(([path]) => !/\.(fuzz|clients)\.test\.ts$/.test(path))
    .filter(([, { seconds, load }]) => seconds > maxSeconds * (load > 1 ? 2 * load : 1))
    .map(([path, { seconds, load }]) => `${path} took ${seconds} s, with ${load} processes for each core`)
}
