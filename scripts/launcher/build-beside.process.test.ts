import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { followParent } from './build-dashboard.mjs'
import { setUp } from './set-up.mjs'

const here = import.meta.dirname

/** A build that ends only with a signal. */
const endlessBuild = `import { mkdirSync } from 'node:fs'
mkdirSync(process.argv.at(-1))
process.on('SIGTERM', () => process.exit(1))
console.error('building')
setInterval(() => {}, 1_000)
`

describe('the build of the dashboard beside a service', () => {
  test.for(['SIGTERM', 'SIGKILL'] as const)(
    'the build of the dashboard beside a service ends when the service gets %s, and leaves no files',
    { timeout: 30_000 },
    async (signal) => {
      const { root, dashboard } = await checkout()
      const service = spawn(
        process.execPath,
        [join(here, '../launch.mjs'), 'service', join(here, 'stand-in-server.ts')],
        { cwd: root, env: { ...process.env, NODE_OPTIONS: '' } },
      )
      // Resolves when no process has the output open, so none is left.
      const ended = once(service, 'close')
      await expect
        .poll(() => readdirSync(dashboard), { timeout: 20_000 })
        .toContainEqual(expect.stringMatching(/^dist-/))
      expect(service.exitCode, 'the service runs beside the build').toBeNull()
      await untilListening(service)
      service.kill(signal)
      await ended
      expect(readdirSync(dashboard).filter((name) => name.startsWith('dist'))).toEqual(['dist'])
      expect(readdirSync(join(dashboard, 'dist'))).toEqual(['unavailable.html'])
    },
  )

  test('a child ends if its parent was killed before it could look', async () => {
    const goneParent = followParent().replace(/\d+$/, String(2 ** 31))
    const child = spawn(process.execPath, ['--import', goneParent, '--eval', 'setInterval(() => {}, 1_000)'])
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM'])
  })
})

async function untilListening(service: ChildProcess) {
  let output = ''
  service.stdout!.on('data', (text) => (output += text))
  await expect.poll(() => output, { timeout: 20_000 }).toContain('listening')
}

/** A root that appears installed, with the Node of this test as the pinned one. */
async function checkout() {
  const root = mkdtempSync(join(tmpdir(), 'fairlead-build-beside-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const pinned = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin')
  mkdirSync(pinned, { recursive: true })
  symlinkSync(process.execPath, join(pinned, 'node'))
  const dashboard = join(root, 'apps', 'dashboard')
  const files = {
    'pnpm-lock.yaml': '',
    'pnpm-workspace.yaml': '',
    'package.json': JSON.stringify({ packageManager: 'pnpm@0' }),
    'apps/dashboard/package.json': '{}',
    'apps/dashboard/node_modules/vite/bin/vite.js': endlessBuild,
    'apps/dashboard/node_modules/vite/package.json': '{"type":"module"}',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  await setUp({ root, scope: 'server' }, () => {})
  return { root, dashboard }
}
