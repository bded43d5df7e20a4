import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

/** A database for one test, on a shared server. */
export interface TestDatabase {
  readonly url: string
  /** Runs a statement on a new connection. */
  query<Row = Record<string, unknown>>(statement: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** Empties all tables except the list of migrations. */
  empty(): Promise<void>
  /** Drops the database, even if clients are connected. */
  drop(): Promise<void>
}

const prefix = 'fairlead_test'
const staleAfterSeconds = 86_400

/** Creates a database on the server of that URL. */
export async function createTestDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `${prefix}_${nowInSeconds()}_${randomBytes(6).toString('hex')}`
  await runOn(serverUrl, `create database ${name} encoding 'UTF8' template template0`)
  await dropStale(serverUrl)
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  return {
    url,
    query: (statement, values) => runOn(url, statement, values),
    async empty() {
      const tables = await runOn<{ name: string; partitioned: boolean }>(
        url,
        `select relname as name, relkind = 'p' as partitioned from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
          and relname <> 'migrations'`,
      )
      if (tables.length === 0) return
      const { partitioned = [], single = [] } = Object.groupBy(tables, (table) =>
        table.partitioned ? 'partitioned' : 'single',
      )
      // A truncation replaces the files of all partitions and of their indexes, which takes longer.
      const statements = [
        ...partitioned.map((table) => `delete from ${table.name}`),
        `truncate ${single.map((table) => table.name).join(', ')} cascade`,
      ]
      await runOn(url, statements.join(';'))
    },
    drop: async () => void (await runOn(serverUrl, `drop database if exists ${name} with (force)`)),
  }
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
