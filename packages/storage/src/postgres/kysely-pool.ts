import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { isLost } from './postgres-failure.ts'

export interface KyselyPoolOptions {
  /** Whether transactions wait until they are on the disk before they commit. Default: true. */
  readonly durable?: boolean
}

/** In one round trip. The commit is visible to others and survives this process, but not the crash of the server. */
const beginUnsynced = 'begin; set local synchronous_commit = off'

/** A pool for Kysely, which closes connections that failed: a server that froze would make the next request wait, too. */
export function kyselyPool(pool: Pool, { durable = true }: KyselyPoolOptions = {}): PostgresPool {
  const known = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const wrapped = known.get(client) ?? wrap(client, durable)
      known.set(client, wrapped)
      return wrapped
    },
  }
}

function wrap(client: PoolClient, durable: boolean): PostgresPoolClient {
  let lost: unknown
  async function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    // A rollback would wait for the same server.
    if (lost) throw lost
    const statement = text === 'begin' && !durable ? beginUnsynced : text
    try {
      return (await client.query(statement, values as unknown[])) as unknown as PostgresQueryResult<Row>
    } catch (error) {
      if (isLost(error)) lost = error
      throw error
    }
  }
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy === true || lost !== undefined),
  }
}
