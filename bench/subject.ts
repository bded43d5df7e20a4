import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { Profiler } from 'node:inspector'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { Agent, request } from 'undici'
import { ownMemory } from './own-memory.ts'
import type { Ask, ProcessUsage, Question, Ready } from './servers/report-usage.ts'

/** A server under load, in its own process. */
export interface Subject {
  readonly name: string
  readonly url: string
  /** The request that the server reports. */
  readonly ask: Ask
  /** Sends many requests. */
  load(load: Load): Promise<autocannon.Result>
  /** Sends one request, and returns the time to the whole response, or to its first chunk, in milliseconds. */
  time(what: 'whole' | 'first piece'): Promise<number>
  /** The resources that the process has used so far. */
  usage(): Promise<ProcessUsage>
  /** Profiles its JavaScript during some work. */
  profile(work: () => Promise<unknown>): Promise<Profiler.Profile>
  stop(): void
}

export interface Load {
  readonly requests: number
  readonly connections: number
  /** Unmeasured requests before the load. Default: 20,000. */
  readonly warmUp?: number
  /** Requests in a turn, when servers take turns. Default: 4,000. */
  readonly slice?: number
  /** Requests a streamed response. Default: a whole one. */
  readonly streamed?: boolean
  /** Whether the requests of the load take turns with all API keys of the server. Default: one key. */
  readonly allKeys?: boolean
  /** The API keys that take turns instead. */
  readonly keys?: readonly string[] | undefined
  /** The request to send. Default: the one that the server reports. */
  readonly target?: Target
}

export interface Target {
  readonly path: string
  readonly body: string
}

const dripping = { model: 'dripping', stream: true }

const thisCheckout = fileURLToPath(new URL('..', import.meta.url))

/** Node's compile cache, as `npm start` uses it. */
const compiled = join(thisCheckout, 'node_modules/.cache/compiled')

/** The load generator and the upstream run on other cores than the measured servers. */
const cores = { load: 0, subjects: 1 }
const hasCores = availableParallelism() > 1
runOn(cores.load, process.pid)

/** Only Linux has `taskset`; on other systems, processes run on any core. */
function runOn(core: number, pid: number | undefined): void {
  if (hasCores) spawnSync('taskset', ['-acp', String(core), String(pid)])
}

export interface SubjectOptions {
  /** Default: the server's. */
  readonly name?: string | undefined
  /** How long each sync of the disk takes at least, in milliseconds, with `strace`. Default: as long as it takes. */
  readonly syncMs?: number | undefined
  /** The checkout that holds it. Default: this one. */
  readonly checkout?: string | undefined
}

/** Starts one of `servers/`, on the core of the measured servers. */
export async function startSubject(
  server: string,
  environment: NodeJS.ProcessEnv = {},
  { name = server, syncMs, checkout = thisCheckout }: SubjectOptions = {},
): Promise<Subject> {
  // Other servers start as their docs recommend.
  const node = [process.execPath, '--conditions=@fairlead/source', ...(server.includes('fairlead') ? ownMemory : [])]
  const [execPath, ...execArgv] = syncMs === undefined ? node : [...delayingSyncs(syncMs), ...node]
  const child = fork(join(checkout, 'bench/servers', `${server}.ts`), {
    execPath,
    execArgv,
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...environment },
    // Portkey prints a banner; errors are still shown.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const { port, ask, pid } = await whenReady(server, child)
  runOn(server.endsWith('upstream') ? cores.load : cores.subjects, pid)
  const url = `http://127.0.0.1:${port}`
  const headers = { 'content-type': 'application/json', ...ask.headers }
  const dispatcher = new Agent()
  return {
    name,
    url,
    ask,
    load: async ({
      requests,
      connections,
      streamed = false,
      allKeys = false,
      keys = allKeys ? ask.keys : undefined,
      target = { path: ask.path, body: bodyOf(ask, streamed ? dripping : {}) },
    }) =>
      autocannon({
        url: url + target.path,
        method: 'POST',
        headers,
        body: target.body,
        ...(keys && { requests: keys.map((key) => ({ headers: withKey(headers, key) })) }),
        connections,
        amount: requests,
        // The service closes a connection after 1,000 requests; this client does not handle that itself.
        reconnectRate: 900,
      }),
    async time(what) {
      const content = bodyOf(ask, what === 'first piece' ? { stream: true } : {})
      const startedAt = performance.now()
      const { statusCode, body } = await request(url + ask.path, { method: 'POST', headers, body: content, dispatcher })
      if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}: ${await body.text()}`)
      let firstMs = NaN
      body.once('data', () => (firstMs = performance.now() - startedAt))
      await once(body, 'end')
      return what === 'whole' ? performance.now() - startedAt : firstMs
    },
    usage: () => answerTo(child, 'usage'),
    async profile(work) {
      await answerTo(child, 'start profile')
      await work()
      return answerTo(child, 'stop profile')
    },
    stop: () => void child.disconnect(),
  }
}

/** A command that runs another one and delays its syncs; `strace` itself is another process. */
function delayingSyncs(ms: number): string[] {
  const inject = `inject=fsync,fdatasync:delay_exit=${ms}ms`
  return ['strace', '-D', '-f', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync', '-e', inject]
}

async function whenReady(server: string, child: ChildProcess): Promise<Ready> {
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${server} exited with ${code}`)))
  const [ready] = (await Promise.race([once(child, 'message'), ended])) as [Ready]
  return ready
}

function withKey(headers: Readonly<Record<string, string>>, key: string) {
  return { ...headers, authorization: `Bearer ${key}` }
}

function bodyOf({ body }: Ask, more: object): string {
  return JSON.stringify({ ...body, ...more })
}

async function answerTo<Answer>(child: ChildProcess, question: Question): Promise<Answer> {
  const answered = once(child, 'message')
  child.send(question)
  const [answer] = (await answered) as [Answer]
  return answer
}
