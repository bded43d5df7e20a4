import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type Mutation, mutations } from './mutations.ts'
import { rotate } from './rotate.ts'

export interface MutationOptions {
  /** Runs the mutations whose file or test contains one of these. Empty: all. */
  readonly filters: readonly string[]
  /** The index of the mutation to start at. */
  readonly from: number
  /** Whether another mutation may start. */
  readonly hasTime: () => boolean
}

/**
 * Applies mutations, one at a time, to a copy of the working tree, and runs the test of each there. Prints what survived.
 *
 * @returns whether every test fails with its mutation, and passes without
 */
export function runMutations(root: string, { filters, from, hasTime }: MutationOptions): boolean {
  const matching = mutations.filter(
    ({ file, test }) =>
      filters.length === 0 || filters.some((filter) => file.includes(filter) || test.includes(filter)),
  )
  const copy = mkdtempSync(join(tmpdir(), 'fairlead-mutations-'))
  try {
    copyTree(root, copy)
    /** How long the tests of each mutation take without it, in milliseconds; undefined if they fail. */
    const durations = new Map<string, number | undefined>()
    let started = 0
    let killed = 0
    for (const mutation of rotate(matching, from)) {
      if (!hasTime()) break
      started++
      const name = nameOfRun(mutation)
      if (!durations.has(name)) durations.set(name, timeUnchanged(copy, mutation))
      const duration = durations.get(name)
      if (duration !== undefined && isKilled(copy, mutation, duration)) killed++
    }
    const left = started < matching.length ? `, and ${matching.length - started} not run` : ''
    console.log(`mutations: ${killed} of ${started} killed${left}`)
    return killed === started
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function nameOfRun({ test, title }: Mutation): string {
  return title === undefined ? test : `${test}: ${title}`
}

/** A test that fails anyway says nothing about a mutation. */
function timeUnchanged(copy: string, mutation: Mutation): number | undefined {
  const startedAt = performance.now()
  const { passed, failed } = runTest(copy, mutation)
  if (passed > 0 && failed === 0) return performance.now() - startedAt
  console.log(`FAIL without a mutation (${passed} passed, ${failed} failed): ${nameOfRun(mutation)}`)
  return undefined
}

/** A test that no longer ends fails, too. Its own time limit is ten minutes. */
function isKilled(copy: string, mutation: Mutation, duration: number): boolean {
  const path = join(copy, mutation.file)
  const source = readFileSync(path, 'utf8')
  const pieces = source.split(mutation.from)
  if (pieces.length !== 2) throw new Error(`"${mutation.from}" is in ${mutation.file} ${pieces.length - 1} times`)
  writeFileSync(path, pieces.join(mutation.to))
  try {
    const killed = runTest(copy, mutation, Math.ceil(Math.max(30_000, 5 * duration))).failed > 0
    console.log(`${killed ? 'ok       ' : 'SURVIVED '}${mutation.file}: ${mutation.from.trim().split('\n')[0]}`)
    return killed
  } finally {
    writeFileSync(path, source)
  }
}

/** A file that does not even load counts as no test that failed. */
function runTest(
  copy: string,
  { test, title }: Mutation,
  timeout?: number,
): { readonly passed: number; readonly failed: number } {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const filter = title === undefined ? [] : ['-t', title]
  const { FUZZ_RUNS: _runs, ...environment } = process.env
  const { signal } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', test, ...filter, '--reporter=json', `--outputFile=${report}`],
    { cwd: copy, env: environment, stdio: 'ignore', ...(timeout !== undefined && { timeout, killSignal: 'SIGKILL' }) },
  )
  if (signal !== null) return { passed: 0, failed: 1 }
  if (!existsSync(report)) return { passed: 0, failed: 0 }
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, 'utf8'))
  return { passed, failed }
}

/** Files as they are in the working tree, and links to the packages that are installed. */
function copyTree(root: string, copy: string): void {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  })
  const files = listed.stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
  for (const path of files) cpSync(join(root, path), join(copy, path))
  const packages = new Set(['.', ...files.filter((path) => basename(path) === 'package.json').map(dirname)])
  for (const folder of packages) copyLinks(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'))
}

/** Links of the workspace are relative, so that the copy's lead to its own packages; what is not ours is shared. */
function copyLinks(from: string, to: string): void {
  if (!existsSync(from)) return
  mkdirSync(to, { recursive: true })
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => path === from || !/^\.(?!bin$)/.test(basename(path)),
  })
  const shared = join(from, '.pnpm')
  if (existsSync(shared)) symlinkSync(shared, join(to, '.pnpm'))
}
