// npm run bench:isolation -- [seconds] [connections]: how one account and /readyz are served on PostgreSQL while another
// account creates shipments on 100 connections. Fails if less than 99% of the calls succeed, if half of them take longer
// than 500 ms, or if /readyz ever fails. Uses the server that DATABASE_URL names, or else one at 127.0.0.1:5432.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@fairlead/core'
import { addTestCaller } from '@fairlead/testing'
import { postgresStores } from '@fairlead/storage'
import { createTestDatabase, findPostgres } from '@fairlead/storage/testing'
import { Agent, request } from 'undici'
import { ownMemory } from './own-memory.ts'
import { wireShipment } from './wire-shipment.ts'

const [seconds = 20, connections = 100] = process.argv.slice(2).map(Number)
const maxMedianMs = 500
const minSucceeded = 0.99
const callEveryMs = 50
const probeEveryMs = 250
const execArgv = ['--conditions=@fairlead/source']
const followParent = new URL('../packages/cli/src/follow-parent.mjs', import.meta.url).href
const main = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url))

const server = process.env['DATABASE_URL'] ?? (await findPostgres())
if (!server) throw new Error('no PostgreSQL: set DATABASE_URL')
const database = await createTestDatabase(server)
const directory = mkdtempSync(join(tmpdir(), 'fairlead-bench-'))
const dispatcher = new Agent()
const children: ChildProcess[] = []
try {
  const url = await startService()
  const [hostile, other] = await addKeys()
  let created = 0
  const calls: readonly (() => Asked)[] = [
    () => ['GET', '/shipments'],
    () => ['POST', '/generate', { model: 'mirror', prompt: 'hello' }],
    () => ['GET', '/users'],
    () => ['POST', '/shipments', wireShipment(`own ${created++}`)],
    () => ['GET', '/usage'],
  ]
  const call = (n: number) => send(url, calls[n % calls.length]!(), other)
  const probe = () => send(url, ['GET', '/readyz'])
  await measure(5_000, call, probe)
  print('quiet', await measure(seconds * 1_000, call, probe))
  const flood = fork(fileURLToPath(new URL('flood-writes.ts', import.meta.url)), [url, hostile, String(connections)], {
    execArgv,
  })
  children.push(flood)
  await pause(1_000)
  const attacked = await measure(seconds * 1_000, call, probe)
  flood.send('statuses')
  const [statuses] = await once(flood, 'message')
  print('flooded', attacked)
  console.log('the flood got', statuses)
  if (!holds(attacked)) process.exitCode = 1
} finally {
  for (const child of children) await stop(child)
  await dispatcher.close()
  rmSync(directory, { recursive: true, force: true })
  await database.drop()
}

type Asked = readonly [method: 'GET' | 'POST', path: string, body?: object]

interface Served {
  readonly status: number | string
  readonly ms: number
}

interface Measured {
  readonly calls: readonly Served[]
  readonly probes: readonly Served[]
}

/** Starts the service as `npm start` does, with its log in a file. */
async function startService(): Promise<string> {
  const log = join(directory, 'service.log')
  const child = spawn(process.execPath, [...ownMemory, `--import=${followParent}`, ...execArgv, main], {
    cwd: directory,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATABASE_URL: database.url,
      FAIRLEAD_SECRET_KEY: 'k'.repeat(32),
      FAIRLEAD_DATA_DIR: directory,
      FAIRLEAD_PROVIDERS: 'local',
    },
    stdio: ['ignore', openSync(log, 'w'), 'inherit'],
  })
  children.push(child)
  while (child.exitCode === null) {
    const [, address] = / listens on (\S+),/.exec(readFileSync(log, 'utf8')) ?? []
    if (address) return address
    await pause(50)
  }
  throw new Error(`the service ended: ${readFileSync(log, 'utf8')}`)
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function addKeys(): Promise<readonly [hostile: string, other: string]> {
  const stores = await postgresStores({ url: database.url })
  const user = { tier: 'enterprise', quotaLimit: 1_000_000_000 } as const
  const hostile = await addTestCaller(stores, systemClock, { user })
  const other = await addTestCaller(stores, systemClock, { user })
  await stores.close()
  return [hostile.credentials.token, other.credentials.token]
}

/** Sends calls and probes, each one after the other, for that time. */
async function measure(
  ms: number,
  call: (n: number) => Promise<Served>,
  probe: () => Promise<Served>,
): Promise<Measured> {
  const endAt = performance.now() + ms
  async function repeat(act: (n: number) => Promise<Served>, everyMs: number): Promise<readonly Served[]> {
    const all: Served[] = []
    while (performance.now() < endAt) {
      const served = await act(all.length)
      all.push(served)
      await pause(Math.max(0, everyMs - served.ms))
    }
    return all
  }
  const [calls, probes] = await Promise.all([repeat(call, callEveryMs), repeat(probe, probeEveryMs)])
  return { calls, probes }
}

async function send(url: string, [method, path, body]: Asked, key?: string): Promise<Served> {
  const startedAt = performance.now()
  const status = await request(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    ...(body && { body: JSON.stringify(body) }),
    dispatcher,
  }).then(
    async (reply) => (await reply.body.dump(), reply.statusCode),
    (error: unknown) => String(error),
  )
  return { status, ms: performance.now() - startedAt }
}

function succeeds({ status }: Served): boolean {
  return typeof status === 'number' && status < 400
}

function holds({ calls, probes }: Measured): boolean {
  const isServed = calls.filter(succeeds).length >= minSucceeded * calls.length
  return isServed && quantile(calls, 0.5) <= maxMedianMs && probes.every(({ status }) => status === 200)
}

function quantile(served: readonly Served[], share: number): number {
  const times = served.map(({ ms }) => ms).toSorted((one, other) => one - other)
  return times[Math.ceil(times.length * share) - 1] ?? 0
}

function print(name: string, { calls, probes }: Measured): void {
  for (const [what, served] of [
    ['calls', calls],
    ['/readyz', probes],
  ] as const) {
    const ok = served.filter(what === 'calls' ? succeeds : ({ status }) => status === 200).length
    const times = [0.5, 0.99, 1].map((share) => `${Math.round(quantile(served, share))} ms`).join(', ')
    console.log(`${name.padEnd(8)} ${what.padEnd(8)} ${ok} of ${served.length} succeeded; p50, p99, longest: ${times}`)
  }
}
