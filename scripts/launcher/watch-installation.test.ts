import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { watchInstallation } from './watch-installation.mjs'

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => vi.useRealTimers())

describe('watchInstallation', () => {
  test('watchInstallation prints what it waits for every two seconds', async () => {
    const { child, write, exit } = fakePnpm()
    const printed: string[] = []
    const watched = watchInstallation(child, 'pnpm@12.0.0', (line) => printed.push(line))
    vi.advanceTimersByTime(2_000)
    await write('Scope: 20 of 32 workspace projects\n')
    vi.advanceTimersByTime(2_000)
    await write('Progress: resolved 263, reused 4, downloaded 10, added 12\n')
    await write('Progress: resolved 263, reused 4, downloaded 120, added 118\n')
    vi.advanceTimersByTime(2_000)
    await write('Progress: resolved 263, reused 4, downloaded 259, added 263, done\n')
    vi.advanceTimersByTime(2_000)
    exit(0)
    expect(await watched).toMatchObject({ status: 0 })
    vi.advanceTimersByTime(2_000)
    expect(printed).toEqual([
      'after 2 s: fetching pnpm@12.0.0',
      'after 4 s: reading the lock file',
      'after 6 s: fetched 124 of 263 packages, unpacked 118',
      'after 8 s: linking 263 packages',
    ])
  })

  test('watchInstallation returns the output and the status of a failed installation', async () => {
    const { child, write, exit } = fakePnpm()
    const watched = watchInstallation(child, 'pnpm@12.0.0')
    await write('ENOSPC: no space left on device')
    exit(1)
    expect(await watched).toEqual({ output: 'ENOSPC: no space left on device', status: 1 })
  })

  test('watchInstallation prints nothing beside the progress that pnpm draws on a terminal', async () => {
    const child = new EventEmitter() as ChildProcess
    const printed: string[] = []
    const watched = watchInstallation(child, 'pnpm@12.0.0', (line) => printed.push(line))
    vi.advanceTimersByTime(10_000)
    child.emit('close', 0)
    expect(await watched).toEqual({ output: '', status: 0 })
    expect(printed).toEqual([])
  })
})

function fakePnpm() {
  const stdout = new PassThrough()
  const child = Object.assign(new EventEmitter(), { stdout }) as unknown as ChildProcess
  const write = (text: string) => new Promise<void>((resolve) => stdout.write(text, () => setImmediate(resolve)))
  return { child, write, exit: (status: number) => child.emit('close', status) }
}
