import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compileCache, temporaryFolder } from '../testing/run-main.ts'

const folder = join(import.meta.dirname, '..')
const command = `echo "pid $$."; exec ${process.execPath} --conditions=@fairlead/source ${join(folder, 'main.ts')}`

/** Starts the service on a new terminal, with the program `script`. */
function onTerminal() {
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd: temporaryFolder(),
    env: {
      PATH: process.env['PATH'],
      SHELL: '/bin/sh',
      NODE_COMPILE_CACHE: compileCache,
      PORT: '0',
      FAIRLEAD_PROVIDERS: 'local',
      FAIRLEAD_CONFIG: join(folder, 'testing/cold-models.config.ts'),
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const find = async (pattern: RegExp) => {
    await expect.poll(() => output, { timeout: 20_000 }).toMatch(pattern)
    return pattern.exec(output)?.[1] ?? ''
  }
  return { find, closeTerminal: () => child.kill('SIGKILL') }
}

// macOS has another `script`, and Windows has none.
describe.skipIf(process.platform !== 'linux')('SIGHUP to a service on a terminal', () => {
  test('SIGHUP to a service on a terminal reloads the configuration, and stops the service if the terminal is closed', async () => {
    const { find, closeTerminal } = onTerminal()
    const url = await find(/listens on (\S+),/)
    const pid = Number(await find(/pid (\d+)\./))
    onTestFinished(() => {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL')
    })
    process.kill(pid, 'SIGHUP')
    await find(/configuration reloaded/)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    closeTerminal()
    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false)
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
