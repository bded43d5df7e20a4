import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { setUp } from './set-up.mjs'

const worlds = mkdtempSync(join(tmpdir(), 'fairlead-set-up-'))
afterAll(() => rmSync(worlds, { recursive: true }))

describe('setUp', () => {
  test('setUp installs only once', async () => {
    const { run, installs } = workspace()
    await run('server')
    await run('server')
    expect(installs).toEqual(['server'])
  })

  test('setUp adds the development tools to a server install for the tests', async () => {
    const { run, installs } = workspace()
    await run('server')
    await run('workspace')
    expect(installs).toEqual(['server', 'workspace'])
  })

  test('setUp removes nothing from a full install', async () => {
    const { run, write, installs } = workspace()
    await run('workspace')
    await run('server')
    write('pnpm-lock.yaml', 'changed')
    await run('server')
    expect(installs).toEqual(['workspace', 'workspace'])
  })

  test('setUp removes nothing from an install that was made by hand', async () => {
    const { run, write, installs } = workspace()
    write('node_modules/vitest/package.json', '{}')
    await run('server')
    expect(installs).toEqual(['workspace'])
  })

  test.for([
    'pnpm-lock.yaml',
    'package.json',
    'pnpm-workspace.yaml',
    'packages/core/package.json',
    'bench/package.json',
  ])('setUp installs again after a change of %s', async (path) => {
    const { run, write, installs } = workspace()
    await run('server')
    write(path, `${contents[path]} `)
    await run('server')
    expect(installs).toEqual(['server', 'server'])
  })

  test('setUp installs again when a package joins the workspace', async () => {
    const { run, write, installs } = workspace()
    await run('server')
    write('packages/storage/package.json', '{}')
    await run('server')
    expect(installs).toEqual(['server', 'server'])
  })

  test('setUp installs again after an interrupted installation', async () => {
    const { run, installs } = workspace()
    await run('server')
    await expect(run('workspace', throwOffline)).rejects.toThrow('offline')
    await run('server')
    expect(installs).toEqual(['server', 'server'])
  })
})

const contents: Record<string, string> = {
  'pnpm-lock.yaml': 'locked',
  'pnpm-workspace.yaml': 'packages:\n  - packages/*\n  - bench\n  - apps/*\n\ncatalog:\n  zod: 4.0.0\n',
  'package.json': JSON.stringify({ devDependencies: { vitest: '*' } }),
  'packages/core/package.json': '{}',
  'bench/package.json': '{}',
}

function throwOffline(): never {
  throw new Error('offline')
}

function workspace() {
  const root = mkdtempSync(join(worlds, 'root-'))
  const installs: string[] = []
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const record = (_root: string, scope: string) => void installs.push(scope)
  const run = (scope: 'server' | 'workspace', install = record) => setUp({ root, scope }, install)
  for (const [path, text] of Object.entries(contents)) write(path, text)
  return { root, installs, write, run }
}
