import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** A Redis process for one test, which can kill and freeze it. It is stopped when the test ends. */
export interface RedisServer {
  readonly url: string
  /** Suspends the process: connections stay open, and nothing responds. */
  freeze(): void
  thaw(): void
  kill(): Promise<void>
  /** Starts it again on the same port, without data. */
  restart(): Promise<void>
}

const maxAttempts = 20

/** Starts an empty Redis on a free port. `settings` are arguments of `redis-server`. */
export async function startRedis(...settings: readonly string[]): Promise<RedisServer> {
  let port = 0
  let child: ChildProcess | undefined
  for (let attempt = 0; !child; attempt++) {
    if (attempt === maxAttempts) throw new Error('redis-server did not start')
    port = randomPort()
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
      if (!again) throw new Error('redis-server did not restart')
      running = again
    },
  }
}

/** A port below the ephemeral range, so that no other process gets it while Redis restarts. */
function randomPort(): number {
  return 20_000 + Math.floor(Math.random() * 12_000)
}

/** Undefined if the process exits before it is ready, for example because the port is in use. */
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
