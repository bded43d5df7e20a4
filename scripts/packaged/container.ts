import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Image } from './dockerfile.ts'

/**
 * Runs in new namespaces, as process 1: makes everything but the data folder read-only, and becomes the service, as a
 * user without privileges.
 */
const script = `set -e
mount --bind "$DATA" "$DATA"
for folder in / /tmp /var/tmp /run /home /dev/shm; do
  if mountpoint -q "$folder"; then mount -o remount,ro,bind "$folder"; fi
done
if touch "$APP/probe" "$TMPDIR/probe" 2> /dev/null; then echo 'the file system is writable' >&2; exit 99; fi
cd "$APP"
unset APP DATA TMPDIR
exec setpriv --reuid="$UID_" --regid="$UID_" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all "$@"
`

export interface Container {
  readonly url: string
  /** Milliseconds from its start until `/readyz` returned 200. */
  readonly readyMs: number
  /** Resident memory in MB (10^6 bytes). */
  residentMb(): number
  /** Runs the image's health check, and returns its exit code. */
  checkHealth(): number | null
  /** Sends SIGTERM, and resolves with the exit code. */
  stop(): Promise<number | null>
}

export interface ContainerOptions {
  readonly app: string
  readonly data: string
  readonly settings: Readonly<Record<string, string>>
}

/** Whether this machine lets us make namespaces, as root. */
export function canIsolate(): boolean {
  return spawnSync('unshare', ['--mount', '--pid', '--fork', 'mount', '--make-rprivate', '/']).status === 0
}

/** Starts the packaged service as a container would: not root, process 1, and nothing writable outside of the data folder. */
export async function startContainer(image: Image, { app, data, settings }: ContainerOptions): Promise<Container> {
  mkdirSync(data, { recursive: true })
  chownSync(data, Number(image.user), Number(image.user))
  const port = await freePort()
  const environment = { ...image.environment, PORT: String(port), ...settings }
  const startedAt = performance.now()
  const unshare = [
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    '--mount-proc',
    'sh',
    '-c',
    script,
    'sh',
    ...image.start,
  ]
  const child = spawn('unshare', unshare, {
    env: { PATH: process.env['PATH'], ...environment, APP: app, DATA: data, TMPDIR: '/tmp', UID_: image.user },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const url = `http://127.0.0.1:${port}`
  await untilReady(url, child, () => output)
  const readyMs = performance.now() - startedAt
  // Printed once the first login is written.
  while (!output.includes('listens on')) await once(child.stdout, 'data')
  const pid = childOf(child.pid!)
  return {
    url,
    readyMs,
    residentMb: () => residentMb(pid),
    checkHealth: () => {
      const [command = '', ...given] = image.healthCheck
      return spawnSync(command, given, { env: environment }).status
    },
    async stop() {
      const ended = once(child, 'exit')
      process.kill(pid, 'SIGTERM')
      const [code] = await ended
      return code
    },
  }
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = performance.now() + 60_000
  while (child.exitCode === null && performance.now() < deadline) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
  }
  child.kill('SIGKILL')
  throw new Error(`the packaged service did not start:\n${output()}`)
}

/** The service, whose parent is `unshare`. */
function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())
}

function residentMb(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (Number(kibibytes) * 1024) / 1e6
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The mode and owner of a file. */
export function ownership(path: string): string {
  const { mode, uid } = statSync(path)
  return `${(mode & 0o777).toString(8)} ${uid}`
}
