import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { watchInstallation } from './watch-installation.mjs'

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => vi.useRealTimers())

describe('watchInstallation', () => {
  test('prints the latest progress of pnpm every five seconds', async () => {
    const { child, write, exit } = fakePnpm()
    const printed: string[] = []
    const watched = watchInstallation(child, (line) => printed.push(line))
    vi.advanceTimersByTime(5_000)
    await write('Progress: resolved 263, added 10\nProgress: resolved 263, added 120\n')
    vi.advanceTimersByTime(5_000)
    exit(0)
    expect(await watched).toMatchObject({ status: 0 })
    vi.advanceTimersByTime(5_000)
    expect(printed).toEqual([
      'still installing after 5 s: starting pnpm',
      'still installing after 10 s: resolved 263, added 120',
    ])
  })

  test('returns the output and the status of a failed installation', async () => {
    const { child, write, exit } = fakePnpm()
    const watched = watchInstallation(child)
    await write('ENOSPC: no space left on device')
    exit(1)
    expect(await watched).toEqual({ output: 'ENOSPC: no space left on device', status: 1 })
  })

  test('prints nothing beside the progress that pnpm draws on a terminal', async () => {
    const child = new EventEmitter() as ChildProcess
    const printed: string[] = []
    const watched = watchInstallation(child, (line) => printed.push(line))
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
