import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { systemClock } from '@fairlead/core'
import { addTestCaller } from '@fairlead/testing'
import { postgresStores } from '@fairlead/storage'
import { createTestDatabase, findPostgres } from '@fairlead/storage/testing'
import { readCpuMicros } from './cpu-time.ts'
import { ownMemory } from './own-memory.ts'
import { freePort } from './servers/free-port.ts'
import { startSubject } from './subject.ts'

const main = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url))
const connections = 64

/** A database in which nodes can be started. The PostgreSQL server must run on this machine. Linux only. */
export interface NodesOnPostgres {
  /** API keys without a limit. */
  readonly keys: readonly string[]
  startNode(): Promise<Node>
  /** The resources that the database has used so far. */
  used(): Promise<DatabaseUse>
  close(): Promise<void>
}

export interface Node {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

export interface DatabaseUse {
  /** Bytes on disk. */
  readonly size: number
  /** Bytes of the write-ahead log of the whole server. */
  readonly wal: number
  readonly transactions: number
  /** Of each server process that has a connection to the database, by process, in microseconds. */
  readonly cpu: ReadonlyMap<number, number>
}

/** Creates the database on the server that DATABASE_URL names, or else on the one at 127.0.0.1:5432. */
export async function nodesOnPostgres(keyCount: number): Promise<NodesOnPostgres> {
  const server = process.env['DATABASE_URL'] ?? (await findPostgres())
  if (!server) throw new Error('no PostgreSQL: set DATABASE_URL')
  const database = await createTestDatabase(server)
  const directory = mkdtempSync(join(tmpdir(), 'fairlead-bench-'))
  const upstream = await startSubject('upstream')
  const model = { type: 'text', id: 'instant', name: 'Instant', description: 'Responds at once.', maxTokens: 4_096 }
  const provider = { use: 'openai-compatible', id: 'upstream', baseUrl: upstream.url, models: [model] }
  writeFileSync(join(directory, 'fairlead.config.json'), JSON.stringify({ providers: [provider] }))
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: database.url,
    FAIRLEAD_SECRET_KEY: 'k'.repeat(32),
    FAIRLEAD_DATA_DIR: directory,
    FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS: '127.0.0.1',
  }
  return {
    keys: await addKeys(database.url, keyCount),
    async startNode() {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const child = spawn(process.execPath, [...ownMemory, '--conditions=@fairlead/source', main], {
        cwd: directory,
        env: { ...env, PORT: String(port) },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      while ((await fetch(`${url}/readyz`).catch(() => undefined))?.ok !== true) {
        if (child.exitCode !== null) throw new Error('the service ended')
        await pause(100)
      }
      return {
        url,
        pid: child.pid ?? 0,
        async stop() {
          if (child.exitCode !== null) return
          const ended = once(child, 'exit')
          child.kill('SIGTERM')
          await ended
        },
      }
    },
    async used() {
      const [totals] = await database.query<Omit<DatabaseUse, 'cpu'>>(`
        select pg_database_size(current_database())::float8 as size, xact_commit::float8 as transactions,
          (pg_current_wal_insert_lsn() - '0/0')::float8 as wal
        from pg_stat_database where datname = current_database()`)
      const processes = await database.query<{ pid: number }>(
        'select pid from pg_stat_activity where datname = current_database()',
      )
      return { ...totals!, cpu: new Map(processes.map(({ pid }) => [pid, readCpuMicros(pid)])) }
    },
    async close() {
      upstream.stop()
      rmSync(directory, { recursive: true, force: true })
      await database.drop()
    },
  }
}

async function addKeys(url: string, count: number): Promise<readonly string[]> {
  const stores = await postgresStores({ url })
  const user = { tier: 'enterprise', quotaLimit: 1_000_000_000 } as const
  const callers = Array.from({ length: count }, () => addTestCaller(stores, systemClock, { user }))
  const keys = (await Promise.all(callers)).map(({ credentials }) => credentials.token)
  await stores.close()
  return keys
}

/** The CPU time that the database has used since then, in microseconds. */
export function databaseCpuSince(before: DatabaseUse, after: DatabaseUse): number {
  return [...after.cpu].reduce((sum, [pid, micros]) => sum + micros - (before.cpu.get(pid) ?? 0), 0)
}

/**
 * Sends requests for a text, each with the next key. Rejects if one fails.
 *
 * @param rate requests a second in all. Undefined: as many as are answered
 */
export async function loadNodes(
  url: string,
  keys: readonly string[],
  rate: number | undefined,
  seconds: number,
): Promise<autocannon.Result> {
  let clients = 0
  const requests = keys.map((key) => ({
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
  }))
  const result = await autocannon({
    url: `${url}/generate`,
    method: 'POST',
    connections,
    duration: seconds,
    ...(rate !== undefined && { overallRate: rate }),
    // The service closes a connection after 1,000 requests; this client does not handle that itself.
    reconnectRate: 900,
    body: JSON.stringify({ model: 'upstream/instant', prompt: 'Say something about a fox and a dog, please.' }),
    // Every connection starts with another key.
    setupClient(client) {
      const first = clients++ % requests.length
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)])
    },
  })
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`)
  return result
}
