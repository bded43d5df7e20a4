import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@fairlead/core'
import { createIds } from '@fairlead/core/adapter'
import type { UserRow } from '@fairlead/accounts/stores'
import { addTestCaller } from '@fairlead/testing'
import { postgresStores, sqliteStores } from '@fairlead/storage'
import { inspectDatabase, type Inspection, queryFile, type TestDatabase } from '@fairlead/storage/testing'
import { onTestFinished } from 'vitest'
import { type NodeProcess, startNode } from './node-process.ts'

/** A data directory that nodes share. It is removed, and its nodes are stopped, when the test ends. */
export interface DataDirectory {
  readonly path: string
  startNode(): Promise<NodeProcess>
  /** Adds a user with an API key, a monthly quota, its usage so far, and other facts. */
  addKey(
    limit: number,
    alreadyUsed?: number,
    facts?: Partial<UserRow>,
  ): Promise<{ readonly keyId: string; readonly token: string }>
  /** Adds a user with a budget in total, in US dollars. Returns the secrets of as many keys. */
  addBudget(budgetUsd: number, keys: number): Promise<readonly string[]>
  /** Reads the SQLite database. */
  inspect(): Inspection
  /** Queries the database, SQLite or PostgreSQL. */
  query<Row>(statement: string): Promise<readonly Row[]>
}

/** Creates one with a SQLite database, or for a PostgreSQL database. */
export async function dataDirectory(database?: TestDatabase): Promise<DataDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'fairlead-faults-'))
  const file = join(path, 'fairlead.db')
  const nodes: NodeProcess[] = []
  const settings = database && { DATABASE_URL: database.url, FAIRLEAD_SECRET_KEY: 'k'.repeat(32) }
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.kill()))
    await rm(path, { recursive: true, force: true })
  })

  const openStores = () => (database ? postgresStores({ url: database.url }) : sqliteStores({ path: file }))

  return {
    path,
    async startNode() {
      const node = await startNode(path, settings)
      nodes.push(node)
      return node
    },
    async addKey(limit, alreadyUsed = 0, facts = {}) {
      const stores = await openStores()
      const { credentials, keyId } = await addTestCaller(stores, systemClock, {
        user: { tier: 'enterprise', quotaLimit: limit, ...facts },
      })
      const units = Array.from({ length: alreadyUsed })
      await Promise.all(units.map(() => stores.transact((tx) => tx.counters.reserve(keyId, null))))
      await stores.close()
      return { keyId, token: credentials.token }
    },
    async addBudget(budgetUsd, keys) {
      const stores = await openStores()
      const user = { id: createIds(systemClock.now)('usr'), tier: 'enterprise', budgetUsd } as const
      const tokens: string[] = []
      for (let n = 0; n < keys; n++) {
        tokens.push((await addTestCaller(stores, systemClock, { user })).credentials.token)
      }
      await stores.close()
      return tokens
    },
    inspect: () => inspectDatabase(file),
    query: async <Row>(statement: string) => database?.query<Row>(statement) ?? queryFile<Row>(file, statement),
  }
}
