import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildDashboard } from './build-dashboard.mjs'

describe('buildDashboard', () => {
  test('builds once for the same sources', () => {
    const { run, builds, read, lines } = checkout()
    run()
    run()
    expect(builds).toHaveLength(1)
    expect(read('dist/index.html')).toBe('built 1')
    expect(lines).toEqual([expect.stringMatching(/^building the dashboard/)])
  })

  test.for(['src/pages/overview.tsx', 'public/favicon.svg', 'vite.config.ts', 'package.json', '../../pnpm-lock.yaml'])(
    'builds again after a change of %s',
    (path) => {
      const { run, write, builds, read } = checkout()
      run()
      write(path, 'changed')
      run()
      expect(builds).toHaveLength(2)
      expect(read('dist/index.html')).toBe('built 2')
    },
  )

  test.for(['src/session.test.ts', 'src/schema.d.ts'])('does not build again after a change of %s', (path) => {
    const { run, write, builds } = checkout()
    run()
    write(path, 'changed')
    run()
    expect(builds).toHaveLength(1)
  })

  test('keeps the dashboard that it has when a build fails', () => {
    const { run, write, read, files, lines } = checkout()
    run()
    write('src/main.tsx', 'broken')
    expect(run(() => 'syntax error')).toBe(false)
    expect(lines.at(-1)).toMatch(/^the dashboard could not be built; .*\nsyntax error$/)
    expect(read('dist/index.html')).toBe('built 1')
    expect(files().filter((name) => name.startsWith('dist'))).toEqual(['dist'])
  })

  test('keeps the dashboard that another start built meanwhile', () => {
    const { run, build, builds, read } = checkout()
    run((...places) => {
      run()
      return build(...places)
    })
    expect(builds).toHaveLength(2)
    expect(read('dist/index.html')).toBe('built 1')
  })

  test('does nothing where there is no dashboard', () => {
    const root = mkdtempSync(join(tmpdir(), 'fairlead-no-dashboard-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    expect(buildDashboard(root, process.execPath, () => 'unexpected build')).toBe(true)
  })
})

function checkout() {
  const root = mkdtempSync(join(tmpdir(), 'fairlead-dashboard-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'apps', 'dashboard')
  const builds: string[] = []
  const lines: string[] = []
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const path of ['src/main.tsx', 'index.html', 'vite.config.ts', 'package.json']) write(path, 'original')
  write('../../pnpm-lock.yaml', 'locked')
  const build = (_folder: string, _node: string, destination: string): string | undefined => {
    builds.push(destination)
    expect(existsSync(destination)).toBe(false)
    mkdirSync(destination)
    writeFileSync(join(destination, 'index.html'), `built ${builds.length}`)
    return undefined
  }
  return {
    build,
    builds,
    lines,
    write,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    files: () => readdirSync(folder),
    run: (with_ = build) => buildDashboard(root, process.execPath, with_, (line) => void lines.push(line)),
  }
}
