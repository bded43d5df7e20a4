import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** A Redis of the test's own, in a process that can be killed and frozen. Gone when the test has ended. */
export interface RedisServer {
  readonly url: string
  /** Stops it in its tracks: connections stay open, and nothing answers. */
  freeze(): void
  thaw(): void
  kill(): Promise<void>
  /** Starts it again, empty, where it was. */
  restart(): Promise<void>
}

const mostTries = 20

/** With nothing in it, on a port that no one else has, and settings as `redis-server` takes them. */
export async function startRedis(...settings: readonly string[]): Promise<RedisServer> {
  let port = 0
  let child: ChildProcess | undefined
  for (let tries = 0; !child; tries++) {
    if (tries === mostTries) throw new Error('redis-server does not start')
    port = somePort()
    child = await spawnRedis(port, settings)
  }
  let running = child
  const kill = () => end(running)
  onTestFinished(kill)
  return {
    url: `redis://127.0.0.1:${port}`,
    freeze: () => void running.kill('SIGSTOP'),
    thaw: () => void running.kill('SIGCONT'),
    kill,
    async restart() {
      await kill()
      const again = await spawnRedis(port, settings)
      if (!again) throw new Error('redis-server does not start again')
      running = again
    },
  }
}

/** Below those that the system gives to whoever asks for any: one that was let go for a moment stays free. */
function somePort(): number {
  return 20_000 + Math.floor(Math.random() * 12_000)
}

/** Undefined where it ends before it is ready, as it does where the port is taken. */
async function spawnRedis(port: number, more: readonly string[]): Promise<ChildProcess | undefined> {
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...more]
  const child = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text
    if (output.includes('Ready to accept connections')) return child
  }
  return undefined
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
