import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { responseViolations, capturedResponse } from '@fairlead/rest-adapter/testing'
import { compileCache } from './run-main.ts'

/** The response to a request. */
export interface NodeResponse {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** A node of the service in its own process. */
export interface NodeProcess {
  readonly pid: number
  /** Its log so far: warnings and errors. */
  readonly output: string
  /** Rejects if the node exits before the complete response. */
  get(path: string, token?: string): Promise<NodeResponse>
  post(
    path: string,
    token: string | undefined,
    body: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<NodeResponse>
  delete(path: string, token: string): Promise<NodeResponse>
  /** Kills it with SIGKILL, without a shutdown. */
  kill(): Promise<void>
}

/** How long a node may take to start on a busy machine, in milliseconds. */
const timeoutMs = 300_000

/** Starts a node on a free port, with a data directory that others can share. */
export async function startNode(
  dataDirectory: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<NodeProcess> {
  const child = fork(new URL('serve-alone.ts', import.meta.url), {
    execArgv: ['--conditions=@fairlead/source'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: compileCache,
      PORT: '0',
      FAIRLEAD_ANONYMOUS_REQUESTS_PER_MINUTE: '0',
      FAIRLEAD_DATA_DIR: dataDirectory,
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [ready] = await Promise.race([
    once(child, 'message', { signal: AbortSignal.timeout(timeoutMs) }),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the node ended with ${code} before it listened: ${output}`)
    }),
  ])
  const origin = `http://127.0.0.1:${ready.port}`
  return {
    pid: child.pid ?? 0,
    get output() {
      return output
    },
    get: (path, token) => ask(origin + path, { headers: bearer(token) }),
    delete: (path, token) => ask(origin + path, { method: 'DELETE', headers: bearer(token) }),
    post: (path, token, body, headers) =>
      ask(origin + path, {
        method: 'POST',
        headers: { ...bearer(token), 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    kill: () => end(child),
  }
}

async function ask(url: string, request: RequestInit): Promise<NodeResponse> {
  const response = await fetch(url, request)
  const { status, headers } = response
  const bytes = new Uint8Array(await response.arrayBuffer())
  const { method = 'GET' } = request
  const violations = responseViolations(
    capturedResponse({ method, url, status, headers, text: Buffer.from(bytes).toString() }),
  )
  if (violations.length > 0) throw new Error(`${method} ${url} returned ${status}: ${violations.join('; ')}`)
  return { status, headers, bytes }
}

function bearer(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
