import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type ClientId, clients, clientFolder, whyMissing } from './table.ts'

/** Why the tests of a client are skipped; undefined if they run. In CI, only clients that the table names are skipped. */
export function skipReason(id: ClientId): string | undefined {
  const reason = whyMissing(id)
  if (reason === undefined || 'notRunnable' in clients[id]) return reason
  if (process.env['CI']) throw new Error(`${clients[id].name} cannot run: ${reason}`)
  return reason
}

export interface ClientRun {
  /** The path of the program in the folder of the client's packages. */
  readonly program: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Files to write before, by their paths in the home folder. */
  readonly homeFiles?: Readonly<Record<string, string>>
}

/** Longer than any client takes on a busy machine. */
const timeoutMs = 240_000

/** A folder for a client to work in, and one that it takes for the home of its user. */
export function workplace() {
  const root = mkdtempSync(join(tmpdir(), 'fairlead-client-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
  const [folder, home] = [join(root, 'work'), join(root, 'home')]
  for (const each of [folder, home]) mkdirSync(each)
  return { folder, home }
}

/** Runs a client to its end, with no way to reach another machine. Returns all that it printed. */
export async function runClient(
  id: ClientId,
  { program, args, environment, homeFiles = {} }: ClientRun,
  { folder, home }: ReturnType<typeof workplace>,
): Promise<string> {
  for (const [path, text] of Object.entries(homeFiles)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  const path = join(clientFolder(id), program)
  const isScript = /\.(?:m?js|cjs)$/.test(path)
  const child = spawn(isScript ? process.execPath : path, [...(isScript ? [path] : []), ...args], {
    cwd: folder,
    // A separate process group, so that its child processes end with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: home,
      // Nothing listens there: a call to any other machine fails at once.
      HTTPS_PROXY: 'http://127.0.0.1:9',
      HTTP_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1,localhost',
      NO_COLOR: '1',
      ...environment,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const stop = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  const timer = setTimeout(stop, timeoutMs)
  const code = await new Promise((resolve) => child.on('close', resolve).on('error', resolve))
  clearTimeout(timer)
  stop()
  if (code !== 0) throw new Error(`${clients[id].name} ended with ${String(code)}:\n${output.slice(-3_000)}`)
  return output
}

/** Runs one of our programs with the packages of a client, and returns the JSON that it prints last. */
export async function runProgram(
  id: ClientId,
  environment: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const source = join(import.meta.dirname, `../../clients/programs/${id}.mjs`)
  // Node looks for packages beside the program.
  const copy = join(clientFolder(id), `${process.pid}-${basename(source)}`)
  copyFileSync(source, copy)
  onTestFinished(() => rmSync(copy, { force: true }))
  const output = await runClient(id, { program: basename(copy), args: [], environment }, workplace())
  return JSON.parse(output.trim().split('\n').at(-1) ?? '')
}
