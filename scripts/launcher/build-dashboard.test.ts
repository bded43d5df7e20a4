import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { announceBuild, buildDashboard } from './build-dashboard.mjs'

describe('buildDashboard', () => {
  test('buildDashboard builds once for the same sources', async () => {
    const { run, builds, read, lines } = checkout()
    await run()
    await run()
    expect(builds).toHaveLength(1)
    expect(read('dist/index.html')).toBe('built 1')
    expect(lines).toEqual([expect.stringMatching(/^building the dashboard/)])
  })

  test.for(['src/pages/overview.tsx', 'public/favicon.svg', 'vite.config.ts', 'package.json', '../../pnpm-lock.yaml'])(
    'buildDashboard builds again after a change of %s',
    async (path) => {
      const { run, write, builds, read } = checkout()
      await run()
      write(path, 'changed')
      await run()
      expect(builds).toHaveLength(2)
      expect(read('dist/index.html')).toBe('built 2')
    },
  )

  test.for(['src/session.test.ts', 'src/schema.d.ts'])(
    'buildDashboard does not build again after a change of %s',
    async (path) => {
      const { run, write, builds } = checkout()
      await run()
      write(path, 'changed')
      await run()
      expect(builds).toHaveLength(1)
    },
  )

  test('buildDashboard keeps the dashboard that it has when a build fails', async () => {
    const { run, write, read, files, lines } = checkout()
    await run()
    write('src/main.tsx', 'broken')
    expect(await run(async () => 'syntax error')).toBe(false)
    expect(lines.at(-1)).toMatch(/^the dashboard could not be built; .*\nsyntax error$/)
    expect(read('dist/index.html')).toBe('built 1')
    expect(files().filter((name) => name.startsWith('dist'))).toEqual(['dist'])
  })

  test('buildDashboard keeps the dashboard that another start built meanwhile', async () => {
    const { run, build, builds, read } = checkout()
    await run(async (...places) => {
      await run()
      return build(...places)
    })
    expect(builds).toHaveLength(2)
    expect(read('dist/index.html')).toBe('built 1')
  })

  test('buildDashboard does nothing where there is no dashboard', async () => {
    const root = mkdtempSync(join(tmpdir(), 'fairlead-no-dashboard-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    expect(await buildDashboard(root, process.execPath, undefined, async () => 'unexpected build')).toBe(true)
    expect(announceBuild(root)).toBe(false)
  })

  test('buildDashboard reports nothing and keeps nothing of a build that was ended', async () => {
    const { run, files, lines } = checkout()
    const ended = AbortSignal.abort()
    expect(await run(async () => 'terminated', ended)).toBe(false)
    expect(lines).toEqual([expect.stringMatching(/^building the dashboard/)])
    expect(files().filter((name) => name.startsWith('dist'))).toEqual([])
  })
})

describe('announceBuild', () => {
  test('announceBuild puts a page that reloads itself in the place of the dashboard until it is built', async () => {
    const { root, run, read, files } = checkout()
    expect(announceBuild(root)).toBe(true)
    expect(read('dist/unavailable.html')).toMatch(/http-equiv="refresh"[^]*is being built/)
    await run()
    expect(read('dist/index.html')).toBe('built 1')
    expect(files('dist')).not.toContain('unavailable.html')
    expect(announceBuild(root)).toBe(false)
    expect(files('dist')).toContain('index.html')
  })

  test('announceBuild leaves a page that says so when the build fails', async () => {
    const { root, run, read } = checkout()
    announceBuild(root)
    await run(async () => 'syntax error')
    expect(read('dist/unavailable.html')).toContain('could not be built')
  })

  test('announceBuild hides a dashboard that was built from other sources', async () => {
    const { root, run, write, files } = checkout()
    await run()
    write('src/main.tsx', 'changed')
    expect(announceBuild(root)).toBe(true)
    expect(files('dist')).toEqual(['unavailable.html'])
    expect(files().filter((name) => name.startsWith('dist'))).toEqual(['dist'])
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
  const build = async (_folder: string, _node: string, destination: string): Promise<string | undefined> => {
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
    root,
    files: (path = '.') => readdirSync(join(folder, path)),
    run: (with_ = build, signal?: AbortSignal) =>
      buildDashboard(root, process.execPath, signal, with_, (line) => void lines.push(line)),
  }
}
