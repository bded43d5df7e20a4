import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Database, Schema } from '../sql/schema.ts'

/** More statements than the program has. */
const maxStatements = 1_500

/**
 * Kysely over one open connection.
 *
 * @param admit throws when a query comes from code that may not run one now
 */
export function kyselyOn(connection: DatabaseSync, admit: () => void): Database {
  const driver = new QueueDriver()
  const executor = new DirectExecutor(openQueries(connection, admit))
  const dialect = {
    createAdapter: () => executor.adapter,
    createIntrospector: (db: Kysely<Schema>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => driver,
  }
  return new Kysely<Schema>({ config: { dialect }, dialect, driver, executor })
}

class QueueDriver extends DummyDriver {
  override async beginTransaction(): Promise<void> {
    throw new Error('only the transaction queue opens transactions')
  }
}

/** Passes queries to the connection itself: the way of Kysely, made for pools, costs more than most statements do. */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #connection: DatabaseConnection

  constructor(connection: DatabaseConnection) {
    super(new SqliteQueryCompiler(), new SqliteAdapter(), { provideConnection: (use) => use(connection) })
    this.#connection = connection
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#connection.executeQuery(query)
  }
}

function openQueries(connection: DatabaseSync, admit: () => void): DatabaseConnection {
  const statements = new Map<string, { readonly statement: StatementSync; readonly returnsRows: boolean }>()

  function prepare(sql: string) {
    const known = statements.get(sql)
    if (known) return known
    const statement = connection.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    if (statements.size >= maxStatements) statements.clear()
    statements.set(sql, prepared)
    return prepared
  }

  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      admit()
      const { statement, returnsRows } = prepare(sql)
      const values = parameters as SQLInputValue[]
      if (returnsRows) return { rows: statement.all(...values) as Row[] }
      const { changes, lastInsertRowid } = statement.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    },
    // oxlint-disable-next-line require-yield -- Kysely requires the method; nothing here streams rows.
    async *streamQuery() {
      throw new Error('rows are not streamed')
    },
  }
}
