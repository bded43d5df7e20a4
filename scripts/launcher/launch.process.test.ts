import { type ChildProcess, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { setUp } from './set-up.mjs'

const here = import.meta.dirname
const worlds = mkdtempSync(join(tmpdir(), 'fairlead-launch-'))
const standIn = join(here, 'stand-in-server.ts')

// Simulates an older Node, which cannot replace its process.
const olderNode = '--import=data:text/javascript,process.execve=undefined'
const atTerminal = '--import=data:text/javascript,process.stdin.isTTY=true'

// Starting npm is slow on a busy machine. No test waits for a fixed time.
vi.setConfig({ testTimeout: 30_000 })

afterAll(() => rmSync(worlds, { recursive: true }))

describe.each([
  { node: 'a Node that can become the server', options: '', relays: false },
  { node: 'an older Node that must relay', options: olderNode, relays: true },
])('npm start on $node', ({ options, relays }) => {
  test.concurrent.for([
    { signal: 'SIGTERM', to: 'npm' },
    { signal: 'SIGINT', to: 'npm' },
    { signal: 'SIGTERM', to: 'the process group' },
    { signal: 'SIGINT', to: 'the process group' },
  ] as const)('npm start drains after $signal to $to and passes the exit code on', async ({ signal, to }) => {
    const npm = await npmStart(options)
    process.kill(to === 'npm' ? npm.pid : -npm.pid, signal)
    expect(await npm.ended).toEqual({ code: 3, signal: null })
    expect(npm.output).toContain(`got ${signal}`)
    expect(npm.parent !== npm.pid, 'a process stands between npm and the server').toBe(relays)
    await expectFree(npm.port)
  })

  test.concurrent('npm start drains when the terminal is closed, which ends npm at once', async () => {
    const npm = await npmStart(options)
    process.kill(-npm.pid, 'SIGHUP')
    await npm.ended
    expect(npm.output).toContain('got SIGHUP')
    await expectFree(npm.port)
  })

  test.concurrent('npm start drains when npm is killed', async () => {
    const npm = await npmStart(options)
    process.kill(npm.pid, 'SIGKILL')
    await npm.ended
    expect(npm.output).toContain('got SIGTERM')
    await expectFree(npm.port)
  })

  test.concurrent('npm start leaves nothing on the port when the process group is killed', async () => {
    const npm = await npmStart(options)
    process.kill(-npm.pid, 'SIGKILL')
    await npm.ended
    await expectFree(npm.port)
  })
})

describe('a launcher that relays signals', () => {
  test.concurrent('a launcher that relays signals stops the server when it is killed', async () => {
    const npm = await npmStart(olderNode)
    process.kill(npm.parent, 'SIGKILL')
    await npm.ended
    expect(npm.output).toContain('got SIGTERM')
    await expectFree(npm.port)
  })

  test.concurrent('a launcher that relays signals does not forward Ctrl-C at a terminal, which has signaled the server already', async () => {
    const launcher = await started(
      spawn(process.execPath, [olderNode, atTerminal, ...launchArguments()], await world()),
    )
    process.kill(launcher.pid, 'SIGINT')
    process.kill(launcher.pid, 'SIGTERM')
    expect(await launcher.ended).toEqual({ code: 3, signal: null })
    expect(launcher.output.filter((line) => line.startsWith('got'))).toEqual(['got SIGTERM'])
  })
})

async function npmStart(nodeOptions: string) {
  const { cwd, env } = await world()
  return started(spawn('npm', ['start'], { cwd, env: { ...env, NODE_OPTIONS: nodeOptions }, detached: true }))
}

/** A root that appears installed, with the Node of this test as the pinned one. */
async function world() {
  const root = mkdtempSync(join(worlds, 'root-'))
  const pinned = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin')
  mkdirSync(pinned, { recursive: true })
  symlinkSync(process.execPath, join(pinned, 'node'))
  mkdirSync(join(root, 'node_modules', '.bin'))
  symlinkSync(process.execPath, join(root, 'node_modules', '.bin', 'node'))
  writeFileSync(join(root, 'pnpm-lock.yaml'), '')
  writeFileSync(join(root, 'pnpm-workspace.yaml'), '')
  const start = ['exec node', ...launchArguments()].join(' ')
  writeFileSync(join(root, 'package.json'), JSON.stringify({ packageManager: 'pnpm@0', scripts: { start } }))
  await setUp({ root, scope: 'server' }, () => {})
  // Otherwise, npm would use the root of the outer npm.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
  return { cwd: root, env }
}

function launchArguments() {
  return [
    join(here, '../launch.mjs'),
    'server',
    `--import=${join(here, '../../packages/cli/src/follow-parent.mjs')}`,
    standIn,
  ]
}

/** Resolves once the test server listens. `ended` resolves when no process has the output open, so none is left. */
async function started(child: ChildProcess) {
  const output: string[] = []
  const lines = createInterface({ input: child.stdout! })
  lines.on('line', (line) => output.push(line))
  child.stderr!.on('data', (text) => output.push(String(text)))
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  for await (const [line] of on(lines, 'line', { close: ['close'] })) {
    if (line.startsWith('listening ')) {
      const { port, parent } = JSON.parse(line.slice('listening '.length)) as { port: number; parent: number }
      return { pid: child.pid!, port, parent, output, ended }
    }
  }
  throw new Error(`the stand-in never listened:\n${output.join('\n')}`)
}

async function expectFree(port: number) {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
}
