import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const canaries = readdirSync(join(import.meta.dirname, 'canaries')).map(readCanary)

/** Folders of core for tests alone. */
const testFolders = ['fakes', 'testing']
/** The features of core that a feature may import, besides the runtime. */
const imports: Readonly<Record<string, readonly string[]>> = {
  audit: ['accounts'],
  shipments: ['accounts'],
  webhooks: ['accounts'],
}

let copy: string
let problems: Problem[]

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'fairlead-canaries-'))
  for (const path of ['.oxlintrc.json', 'scripts/lint']) cpSync(join(root, path), join(copy, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const file of canaries.flatMap((canary) => canary.files)) {
    mkdirSync(dirname(join(copy, file.path)), { recursive: true })
    writeFileSync(join(copy, file.path), file.text)
  }
  problems = lint(copy)
})

afterAll(() => rmSync(copy, { recursive: true }))

// Each file in canaries/ violates one rule, at a path where the rule applies.
describe('the lint rules', () => {
  test.for(canaries)('the lint rule of $name reports one violation with its reason', ({ files, rule, reason }) => {
    const bites = problems.filter((problem) => files.some((file) => file.path === problem.filename))
    expect(bites.map((bite) => bite.code)).toEqual(files.map(() => rule))
    for (const bite of bites) expect(`${bite.message} ${bite.help ?? ''}`).toContain(reason)
  })

  test('the lint rules each have a canary', () => {
    const { rules } = configuration()
    const own = Object.keys(rules).filter((name) => rules[name] !== 'off' && !tuned.includes(name))
    const proven = canaries.map((canary) => canary.rule.replace(/(.*)\((.*)\)/, '$1/$2').replace('eslint/', ''))
    expect(own.filter((name) => !proven.includes(name))).toEqual([])
  })
})

describe('the rules on imports in core', () => {
  const folders = readdirSync(join(root, 'packages/core/src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !testFolders.includes(entry.name))
    .map(({ name }) => name)
  const features = folders.filter((name) => name !== 'fairlead')

  test.each(features)('the rules on imports in core forbid %s to import other features', (feature) => {
    const forbidden = folders.filter((name) => ![feature, 'runtime', ...(imports[feature] ?? [])].includes(name))
    const { overrides } = configuration()
    const own = overrides.find(({ files }) => files.includes(`packages/core/src/${feature}/**`))
    const [, { patterns }] = own?.rules['no-restricted-imports'] ?? ['off', { patterns: [] }]
    expect(patterns.toSorted()).toEqual(forbidden.map((name) => `**/${name}/**`).toSorted())
  })
})

/** Rules that a category enables, and that are only configured here. */
const tuned = ['vitest/expect-expect', 'import/no-unassigned-import']

interface Problem {
  readonly code: string
  readonly message: string
  readonly help?: string
  readonly filename: string
}

function lint(folder: string): Problem[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=json', 'packages', 'apps'],
    { cwd: folder, encoding: 'utf8' },
  )
  if (!stdout.startsWith('{')) throw new Error(stdout + stderr)
  return (JSON.parse(stdout) as { diagnostics: Problem[] }).diagnostics
}

/** `// expects: rule`, `// reason: part of the message`, then `// at: path` before the text of each file. */
function readCanary(name: string) {
  const text = readFileSync(join(import.meta.dirname, 'canaries', name), 'utf8')
  const [head = '', ...parts] = text.split(/^\/\/ at: (.+)\n/m)
  const [, rule = '', reason = ''] = /^\/\/ expects: (.+)\n\/\/ reason: (.+)\n$/.exec(head) ?? []
  const files = Array.from({ length: parts.length / 2 }, (_, i) => ({ path: parts[2 * i]!, text: parts[2 * i + 1]! }))
  if (!rule || !reason || files.length === 0) throw new Error(`${name} is no canary: see readCanary`)
  return { name: name.replace('.ts', ''), rule, reason, files }
}

interface Configuration {
  readonly rules: Readonly<Record<string, unknown>>
  readonly overrides: readonly {
    readonly files: readonly string[]
    readonly rules: {
      readonly 'no-restricted-imports'?: readonly [string, { readonly patterns: readonly string[] }]
    }
  }[]
}

function configuration(): Configuration {
  const text = readFileSync(join(root, '.oxlintrc.json'), 'utf8').replace(/^\s*\/\/.*$/gm, '')
  return JSON.parse(text) as Configuration
}
