import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, type PostgresQueryResult } from 'kysely'
import { Pool, type PoolClient, types } from 'pg'
import type { Database, Schema } from '../sql/schema.ts'
import { statementName } from '../sql/statements.ts'
import type { ConnectionShares } from './connection-shares.ts'
import { isLost } from './postgres-failure.ts'

export interface PoolSettings {
  readonly url: string
  /** Maximum number of connections. */
  readonly size: number
  /** How long to wait for a new connection, in milliseconds. */
  readonly connectionTimeoutMs: number
  /** How long one statement may take, in milliseconds. Default: no limit. */
  readonly statementTimeoutMs?: number
  /** Called when an idle connection is lost. */
  onLost(error: Error): void
}

/** How long to wait for a response after `statement_timeout`, in milliseconds, before the server counts as frozen. */
const graceMs = 1_000

/** Opens connections on demand. Settings in the URL take precedence. */
export function openPool({ url, size, connectionTimeoutMs, statementTimeoutMs, onLost }: PoolSettings): Pool {
  const pool = new Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: connectionTimeoutMs,
    ...(statementTimeoutMs !== undefined && timeouts(statementTimeoutMs)),
    keepAlive: true,
    application_name: 'fairlead',
    types: { getTypeParser: parserOf },
  })
  pool.on('error', onLost)
  // A lost connection rejects its statement, but an `error` event without a listener ends the process
  // (https://github.com/brianc/node-postgres/issues/2439).
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Runs a cheap statement; closes the connection if it fails. */
export async function probePool(pool: Pool, timeoutMs: number): Promise<void> {
  const client = await pool.connect()
  // `pg` accepts a timeout for each statement, which its types omit.
  const statement = { text: 'select 1', query_timeout: timeoutMs }
  try {
    await client.query(statement)
  } catch (error) {
    client.release(true)
    throw error
  }
  client.release()
}

function timeouts(statementTimeoutMs: number) {
  return {
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + graceMs,
    // A process that hangs in a transaction must not lock its rows for others.
    idle_in_transaction_session_timeout: statementTimeoutMs + graceMs,
  }
}

/** Types (select oid, typname from pg_type) that SQLite returns as numbers; the sum of int8 values is a numeric. */
const asNumber: Readonly<Record<number, (text: string) => number>> = {
  16: (text) => (text === 't' ? 1 : 0),
  20: Number,
  1700: Number,
}

/** For this pool only: an embedding program may parse int8 differently. */
const parserOf = ((oid: number, format?: 'text' | 'binary') =>
  asNumber[oid] ?? types.getTypeParser(oid, format)) as typeof types.getTypeParser

export interface KyselyPoolOptions {
  /** Whether transactions wait until they are on the disk before they commit. Default: true. */
  readonly durable?: boolean | undefined
  /** Decides who gets a connection. Default: first come, first served. */
  readonly shares?: Pick<ConnectionShares, 'acquire' | 'release'> | undefined
}

interface WrappedClient extends PostgresPoolClient {
  /** Whose share the connection counts toward while it is in use. */
  account: string | undefined
}

/** In one round trip. The commit is visible to others and survives this process, but not the crash of the server. */
const beginUnsynced = 'begin; set local synchronous_commit = off'

/** A pool for Kysely, which closes connections that failed: a server that froze would make the next request wait, too. */
function kyselyPool(pool: Pool, { durable = true, shares }: KyselyPoolOptions = {}): PostgresPool {
  const known = new WeakMap<PoolClient, WrappedClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const account = await shares?.acquire()
      try {
        const client = await pool.connect()
        const wrapped = known.get(client) ?? wrap(client, durable, shares)
        known.set(client, wrapped)
        wrapped.account = account
        return wrapped
      } catch (error) {
        shares?.release(account)
        throw error
      }
    },
  }
}

function wrap(client: PoolClient, durable: boolean, shares: KyselyPoolOptions['shares']): WrappedClient {
  let lost: unknown
  async function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    // A rollback would wait for the same server.
    if (lost) throw lost
    const statement = {
      text: text === 'begin' && !durable ? beginUnsynced : text,
      values: values as unknown[],
      // The server plans a named statement once for each connection, which costs more than running it.
      name: statementName(text),
    }
    try {
      return (await client.query(statement)) as unknown as PostgresQueryResult<Row>
    } catch (error) {
      if (isLost(error)) lost = error
      throw error
    }
  }
  return {
    account: undefined,
    query: query as PostgresPoolClient['query'],
    release(destroy) {
      client.release(destroy === true || lost !== undefined)
      shares?.release(this.account)
    },
  }
}

/** Kysely over the pool. */
export function openDatabase(pool: Pool, options?: KyselyPoolOptions): Database {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: kyselyPool(pool, options) }) })
}
