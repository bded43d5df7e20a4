// npm run bench:sizing -- [seconds]: what a call through a provider costs a node and PostgreSQL at several rates: CPU time,
// transactions, write-ahead log, and disk. Uses the server that DATABASE_URL names, or else one at 127.0.0.1:5432; it must
// run on this machine. Linux only.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { systemClock } from '@fairlead/core'
import { addTestCaller } from '@fairlead/testing'
import { postgresStores } from '@fairlead/storage'
import { createTestDatabase, findPostgres } from '@fairlead/storage/testing'
import { cpuMicrosOf } from './cpu-time.ts'
import { ownMemory } from './own-memory.ts'
import { freePort } from './servers/free-port.ts'
import { startSubject } from './subject.ts'

const [seconds = 20] = process.argv.slice(2).map(Number)
/** Calls in a second, and then as many as the node answers. */
const rates = [100, 500, 2_000, undefined] as const
const keyCount = 64
const connections = 64

const server = process.env['DATABASE_URL'] ?? (await findPostgres())
if (!server) throw new Error('no PostgreSQL: set DATABASE_URL')
const database = await createTestDatabase(server)
const directory = mkdtempSync(join(tmpdir(), 'fairlead-bench-'))
const upstream = await startSubject('upstream')
const tokens = await addKeys()
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const model = { type: 'text', id: 'instant', name: 'Instant', description: 'Responds at once.', maxTokens: 4_096 }
const provider = { use: 'openai-compatible', id: 'upstream', baseUrl: upstream.url, models: [model] }
writeFileSync(join(directory, 'fairlead.config.json'), JSON.stringify({ providers: [provider] }))
const node = spawn(
  process.execPath,
  [
    ...ownMemory,
    '--conditions=@fairlead/source',
    fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url)),
  ],
  {
    cwd: directory,
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATABASE_URL: database.url,
      FAIRLEAD_SECRET_KEY: 'k'.repeat(32),
      FAIRLEAD_DATA_DIR: directory,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  },
)
try {
  while ((await fetch(`${url}/readyz`).catch(() => undefined))?.ok !== true) {
    if (node.exitCode !== null) throw new Error('the service ended')
    await pause(100)
  }
  await load(undefined, 5)
  console.log('| calls a second | CPU of the node | CPU of PostgreSQL | transactions | WAL | p50 | p99 |')
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  const sizeBefore = (await facts()).size
  let calls = 0
  for (const rate of rates) calls += await measure(rate)
  const bytes = ((await facts()).size - sizeBefore) / calls
  console.log(`\n${calls} calls took ${Math.round(bytes)} bytes of the database each; the node has ${memory()} MB.`)
} finally {
  const ended = node.exitCode === null ? once(node, 'exit') : undefined
  node.kill('SIGTERM')
  await ended
  upstream.stop()
  rmSync(directory, { recursive: true, force: true })
  await database.drop()
}

async function addKeys(): Promise<readonly string[]> {
  const stores = await postgresStores({ url: database.url })
  const user = { tier: 'enterprise', quotaLimit: 1_000_000_000 } as const
  const callers = Array.from({ length: keyCount }, () => addTestCaller(stores, systemClock, { user }))
  const keys = (await Promise.all(callers)).map(({ credentials }) => credentials.token)
  await stores.close()
  return keys
}

/** Prints a row of the table. Resolves to the number of calls. */
async function measure(rate: number | undefined): Promise<number> {
  const before = { ...(await facts()), node: cpuMicrosOf(node.pid ?? 0), postgres: await postgresCpu() }
  const { '2xx': calls, non2xx, errors, latency, duration } = await load(rate, seconds)
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} calls failed`)
  const after = { ...(await facts()), node: cpuMicrosOf(node.pid ?? 0), postgres: await postgresCpu() }
  const spent = [...after.postgres].reduce((sum, [pid, cpu]) => sum + cpu - (before.postgres.get(pid) ?? 0), 0)
  const cells = [
    Math.round(calls / duration).toLocaleString('en'),
    `${Math.round((after.node - before.node) / calls)} µs`,
    `${Math.round(spent / calls)} µs`,
    ((after.transactions - before.transactions) / calls).toFixed(2),
    `${((after.wal - before.wal) / calls / 1_000).toFixed(1)} kB`,
    `${latency.p50} ms`,
    `${latency.p99} ms`,
  ]
  console.log(`| ${cells.join(' | ')} |`)
  return calls
}

function load(rate: number | undefined, duration: number): Promise<autocannon.Result> {
  return autocannon({
    url: `${url}/generate`,
    method: 'POST',
    connections,
    duration,
    ...(rate !== undefined && { overallRate: rate }),
    // The service closes a connection after 1,000 requests; this client does not handle that itself.
    reconnectRate: 900,
    body: JSON.stringify({ model: 'upstream/instant', prompt: 'Say something about a fox and a dog, please.' }),
    requests: tokens.map((token) => ({
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    })),
  })
}

interface Facts {
  readonly size: number
  readonly wal: number
  readonly transactions: number
}

async function facts(): Promise<Facts> {
  const [row] = await database.query<Facts>(`
    select pg_database_size(current_database())::float8 as size, xact_commit::float8 as transactions,
      (pg_current_wal_insert_lsn() - '0/0')::float8 as wal
    from pg_stat_database where datname = current_database()`)
  if (!row) throw new Error('the database has no statistics')
  return row
}

/** The CPU time of the server processes that have a connection to this database, by process. */
async function postgresCpu(): Promise<ReadonlyMap<number, number>> {
  const rows = await database.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  )
  return new Map(rows.map(({ pid }) => [pid, cpuMicrosOf(pid)]))
}

/** The resident memory of the node in megabytes. */
function memory(): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${node.pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1_000)
}
