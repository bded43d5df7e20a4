import { Pool, types } from 'pg'

export interface PoolSettings {
  readonly url: string
  /** Connections at most. */
  readonly size: number
  /** How long to wait for a connection, free or new, in milliseconds. */
  readonly connectionTimeoutMs: number
  /** How long one statement may take, in milliseconds. Default: as long as it needs. */
  readonly statementTimeoutMs?: number
  /** Hears of connections that are lost while nobody uses them. */
  onLost(error: Error): void
}

/** How much longer than the server we wait for an answer, in milliseconds, before we take the server for frozen. */
const graceMs = 1_000

/** Opens no connection before the first is asked for. What the URL itself says of a setting counts. */
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
  // A connection that breaks while it is used fails its statement, which its user hears of; but an `error` event that
  // nobody listens to ends the process (https://github.com/brianc/node-postgres/issues/2439).
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Runs the cheapest statement that there is; destroys the connection where that fails. */
export async function probePool(pool: Pool, timeoutMs: number): Promise<void> {
  const client = await pool.connect()
  // `pg` takes the timeout of one statement too, which its types do not tell.
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
    // A process that stands still amid a transaction must not keep the others from its rows.
    idle_in_transaction_session_timeout: statementTimeoutMs + graceMs,
  }
}

/** Types (select oid, typname from pg_type) that SQLite gives as numbers; the sum of int8s is a numeric. */
const asNumber: Readonly<Record<number, (text: string) => number>> = {
  16: (text) => (text === 't' ? 1 : 0),
  20: Number,
  1700: Number,
}

/** For our pool alone: an embedding program may read its own int8s as it likes. */
const parserOf = ((oid: number, format?: 'text' | 'binary') =>
  asNumber[oid] ?? types.getTypeParser(oid, format)) as typeof types.getTypeParser
