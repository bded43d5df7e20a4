// npm run bench:nodes -- [rounds] [requests]: the CPU time of a request with one process of the service and with three on
// one PostgreSQL database, with one API key and with 64. Medians of rounds with fresh processes. Linux only.
// Requests without a key, which do not reach the database, show how much of the difference is not the database's.
// Uses the server that DATABASE_URL names, or else one at 127.0.0.1:5432; it must run on this machine.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { systemClock } from '@fairlead/core'
import { addTestCaller } from '@fairlead/testing'
import { postgresStores } from '@fairlead/storage'
import { createTestDatabase, findPostgres, type TestDatabase } from '@fairlead/storage/testing'
import { cpuMicrosOf, withChildren } from './cpu-time.ts'
import { median } from './median.ts'
import { ownMemory } from './own-memory.ts'

const [rounds = 3, requests = 16_000] = process.argv.slice(2).map(Number)
const connections = 63
const processCounts = [1, 3] as const
const keyCount = 64
/** Requests before a measurement, for each process and each kind of request. */
const warmUp = 5_000
const slices = 4

/** Requests for a text with API keys that take turns, or for the list of models without a key. */
interface Kind {
  readonly name: string
  readonly tokens: readonly string[]
}

interface Service {
  readonly processes: number
  readonly url: string
  cpuMicros(): number
  stop(): Promise<void>
}

interface Cost {
  /** CPU time of a request in all processes of the service, in microseconds. */
  readonly node: number
  /** CPU time of a request in the database server, in microseconds. */
  readonly postgres: number
  readonly perSecond: number
}

/** By kind of request and number of processes. */
class Costs {
  readonly #all = new Map<string, Cost[]>()

  add(name: string, processes: number, cost: Cost): void {
    const label = `${processes} ${name}`
    this.#all.set(label, [...(this.#all.get(label) ?? []), cost])
  }

  median(name: string, processes: number): Cost {
    const costs = this.#all.get(`${processes} ${name}`) ?? []
    const of = (field: keyof Cost) => median(costs.map((cost) => cost[field]))
    return { node: of('node'), postgres: of('postgres'), perSecond: of('perSecond') }
  }
}

const server = process.env['DATABASE_URL'] ?? (await findPostgres())
if (!server) throw new Error('no PostgreSQL: set DATABASE_URL')
const main = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url))
const followParent = new URL('../packages/cli/src/follow-parent.mjs', import.meta.url).href
const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
const database = await createTestDatabase(server)
const directory = mkdtempSync(join(tmpdir(), 'fairlead-bench-'))
try {
  const tokens = await addKeys(database)
  const kinds: readonly Kind[] = [
    { name: 'no key', tokens: [] },
    { name: 'one key', tokens: tokens.slice(0, 1) },
    { name: `${keyCount} keys`, tokens },
  ]
  const costs = new Costs()
  for (let round = 1; round <= rounds; round++) {
    const measured = await measure(database, kinds)
    for (const { name } of kinds) {
      for (const processes of processCounts) {
        const cost = measured.median(name, processes)
        costs.add(name, processes, cost)
        console.log(`round ${round}  ${row(name, processes, cost)}`)
      }
    }
  }
  print(kinds, costs)
} finally {
  rmSync(directory, { recursive: true, force: true })
  await database.drop()
}

async function addKeys({ url }: TestDatabase): Promise<readonly string[]> {
  const stores = await postgresStores({ url })
  const user = { tier: 'enterprise', quotaLimit: 1_000_000_000 } as const
  const callers = Array.from({ length: keyCount }, () => addTestCaller(stores, systemClock, { user }))
  const tokens = (await Promise.all(callers)).map(({ credentials }) => credentials.token)
  await stores.close()
  return tokens
}

/** Loads services with each number of processes in turns, so that other work on the machine affects them equally. */
async function measure(on: TestDatabase, kinds: readonly Kind[]): Promise<Costs> {
  const services: Service[] = []
  const costs = new Costs()
  try {
    for (const processes of processCounts) services.push(await startService(processes, on.url))
    for (const { name, tokens } of kinds) {
      for (const { url, processes } of services) await load(url, tokens, warmUp * processes)
      for (let slice = 0; slice < slices; slice++) {
        for (const service of services) costs.add(name, service.processes, await costOf(service, on, tokens))
      }
    }
    return costs
  } finally {
    for (const service of services) await service.stop()
  }
}

/** Starts the service as `npm start` does, with its log in a file. */
async function startService(processes: number, url: string): Promise<Service> {
  const log = join(directory, `${processes}.log`)
  const child = spawn(
    process.execPath,
    [...ownMemory, `--import=${followParent}`, '--conditions=@fairlead/source', main],
    {
      cwd: directory,
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: compiled,
        PORT: '0',
        DATABASE_URL: url,
        FAIRLEAD_SECRET_KEY: 'k'.repeat(32),
        FAIRLEAD_DATA_DIR: directory,
        FAIRLEAD_PROVIDERS: 'local',
        FAIRLEAD_WORKERS: String(processes),
      },
      stdio: ['ignore', openSync(log, 'w'), 'inherit'],
    },
  )
  const sum = () => withChildren(child.pid ?? 0).reduce((total, pid) => total + cpuMicrosOf(pid), 0)
  return { processes, url: await addressIn(log, child), cpuMicros: sum, stop: () => stop(child) }
}

async function addressIn(log: string, child: ChildProcess): Promise<string> {
  while (child.exitCode === null) {
    const [, address] = / listens on (\S+),/.exec(readFileSync(log, 'utf8')) ?? []
    if (address) return address
    await sleep(50)
  }
  throw new Error(`the service ended: ${readFileSync(log, 'utf8')}`)
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function costOf(service: Service, on: TestDatabase, tokens: readonly string[]): Promise<Cost> {
  const nodeBefore = service.cpuMicros()
  const postgresBefore = await postgresCpu(on)
  const { duration, '2xx': succeeded, non2xx, errors } = await load(service.url, tokens, requests / slices)
  const node = service.cpuMicros() - nodeBefore
  const postgresAfter = await postgresCpu(on)
  if (errors > 0 || (succeeded > 0 && non2xx > 0)) throw new Error(`${errors + non2xx} requests failed`)
  const sent = succeeded + non2xx
  const spent = [...postgresAfter].map(([pid, micros]) => micros - (postgresBefore.get(pid) ?? 0))
  const postgres = spent.reduce((total, micros) => total + micros, 0)
  return { node: node / sent, postgres: postgres / sent, perSecond: sent / duration }
}

/** The CPU time of the server processes that have a connection to this database, by process. */
async function postgresCpu(on: TestDatabase): Promise<ReadonlyMap<number, number>> {
  const rows = await on.query<{ pid: number }>('select pid from pg_stat_activity where datname = current_database()')
  return new Map(rows.map(({ pid }) => [pid, cpuMicrosOf(pid)]))
}

/** Every connection takes turns with all keys, starting with another one. */
async function load(url: string, tokens: readonly string[], amount: number): Promise<autocannon.Result> {
  // The service closes a connection after 1,000 requests; this client does not handle that itself.
  const common = { connections, amount, reconnectRate: 900 }
  if (tokens.length === 0) return autocannon({ ...common, url: `${url}/models` })
  const asked = tokens.map((token) => ({
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  }))
  let clients = 0
  return autocannon({
    ...common,
    url: `${url}/generate`,
    method: 'POST',
    body: JSON.stringify({ model: 'mirror', prompt: 'Say something about a fox and a dog, please.' }),
    setupClient(client) {
      const first = clients++ % asked.length
      client.setRequests([...asked.slice(first), ...asked.slice(0, first)])
    },
  })
}

function print(kinds: readonly Kind[], costs: Costs): void {
  console.log(`\nMedians of ${rounds} rounds, ${requests} requests each, ${connections} connections.\n`)
  console.log('| requests with | processes | CPU in Node | CPU in PostgreSQL | requests per second |')
  console.log('| --- | ---: | ---: | ---: | ---: |')
  for (const { name } of kinds) {
    for (const processes of processCounts) console.log(row(name, processes, costs.median(name, processes)))
  }
  for (const { name } of kinds) {
    const [one, three] = processCounts.map((processes) => costs.median(name, processes)) as [Cost, Cost]
    const ratio = (field: keyof Cost) => (one[field] > 0 ? (three[field] / one[field]).toFixed(2) : '–')
    console.log(
      `\nThree processes, ${name}: ${ratio('node')} times the CPU of one process in Node, ` +
        `${ratio('postgres')} times in PostgreSQL, ${ratio('perSecond')} times the throughput.`,
    )
  }
}

function row(name: string, processes: number, { node, postgres, perSecond }: Cost): string {
  const cells = [name, processes, `${whole(node)} µs`, `${whole(postgres)} µs`, whole(perSecond)]
  return `| ${cells.join(' | ')} |`
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}
