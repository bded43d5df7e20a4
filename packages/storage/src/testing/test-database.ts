import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

/** A database for one test, on a shared server. */
export interface TestDatabase {
  readonly url: string
  /** Runs a statement on a new connection. */
  query<Row = Record<string, unknown>>(statement: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** Empties all tables except the list of migrations. */
  empty(): Promise<void>
  /** Connections opened from now on do not wait for the disk when they commit. Stores that open later reject this. */
  skipSyncs(): Promise<void>
  /** Drops the database, even if clients are connected. */
  drop(): Promise<void>
}

const prefix = 'fairlead_test'
const staleAfterSeconds = 86_400

/**
 * Creates a database on the server of that URL.
 *
 * @param template a database to copy, to which nothing is connected; default: an empty one
 */
export async function createTestDatabase(serverUrl: string, template?: TestDatabase): Promise<TestDatabase> {
  const name = `${prefix}_${nowInSeconds()}_${randomBytes(6).toString('hex')}`
  const copied = template ? databaseName(template) : 'template0'
  await runOn(serverUrl, `create database ${name} encoding 'UTF8' template ${copied}`)
  await dropStale(serverUrl)
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  /** The connection of `empty`: to open one takes ten times longer than to delete the rows. */
  let kept: Client | undefined

  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: url, options: '-c synchronous_commit=off' })
    // A test may end all connections.
    client.on('error', () => (kept = undefined))
    await client.connect()
    return client
  }

  return {
    url,
    query: (statement, values) => runOn(url, statement, values),
    async empty() {
      const client = (kept ??= await connect())
      const { rows: tables } = await client.query<{ name: string }>(
        `select relname as name from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
          and relname <> 'migrations'`,
      )
      if (tables.length === 0) return
      // In one statement, after which foreign keys are checked. A truncation would replace every file of every table.
      const deletions = tables.map(({ name: table }) => `${table}_rows as (delete from ${table})`)
      await client.query(`with ${deletions.join(', ')} select`)
    },
    async skipSyncs() {
      await runOn(url, `alter database ${name} set synchronous_commit = off`)
    },
    async drop() {
      await kept?.end()
      await runOn(serverUrl, `drop database if exists ${name} with (force)`)
    },
  }
}

function databaseName({ url }: TestDatabase): string {
  return new URL(url).pathname.slice(1)
}

async function runOn<Row>(url: string, statement: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(statement, [...values])
    return rows as Row[]
  } finally {
    await client.end()
  }
}

/** Drops databases of test runs that were killed. */
async function dropStale(serverUrl: string): Promise<void> {
  const found = await runOn<{ datname: string }>(serverUrl, 'select datname from pg_database where datname like $1', [
    `${prefix}\\_%`,
  ])
  for (const { datname } of found) {
    const madeAt = Number(datname.split('_')[2])
    if (nowInSeconds() - madeAt > staleAfterSeconds) await runOn(serverUrl, `drop database if exists ${datname}`)
  }
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1_000)
}
