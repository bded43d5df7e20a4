// The cost of a request in each store: reserving a unit, then settling it with a usage record, as a model call does.
//   node --conditions=@fairlead/source bench/stores.ts [memory] [sqlite] [postgres]
// Medians of rounds, per request. `wall` is the time until the commit, `cpu` the CPU time of this process.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createIds } from '@fairlead/core/adapter'
import { type UsageRecord } from '@fairlead/core/stores'
import type { Stores } from '@fairlead/testing/workspace'
import { someUsage, testStores } from '@fairlead/testing'
import { postgresStores, sqliteStores } from '@fairlead/storage'
import { createTestDatabase, findPostgres } from '@fairlead/storage/testing'
import { median } from './median.ts'

interface Subject {
  readonly stores: Stores
  remove(): Promise<void>
}

const subjects: Readonly<Record<string, () => Promise<Subject | undefined>>> = {
  memory: async () => ({ stores: testStores(), remove: async () => {} }),
  async sqlite() {
    const directory = await mkdtemp(join(tmpdir(), 'fairlead-bench-'))
    return {
      stores: await sqliteStores({ path: join(directory, 'fairlead.db') }),
      remove: () => rm(directory, { recursive: true }),
    }
  },
  async postgres() {
    const server = await findPostgres()
    if (!server) return undefined
    const database = await createTestDatabase(server)
    return { stores: await postgresStores({ url: database.url }), remove: () => database.drop() }
  },
}

type Act = (stores: Stores, counter: string) => Promise<void>

const newId = createIds(Date.now)

const acts: Readonly<Record<string, Act>> = {
  'reserve + settle': async (stores, counter) => {
    await stores.reserve(counter, 1_000_000_000)
    await stores.addUsage(usageOf(counter))
  },
  reserve: async (stores, counter) => void (await stores.reserve(counter, 1_000_000_000)),
  'reserve, each in a transaction of its own': async (stores, counter) =>
    void (await stores.transact((tx) => tx.counters.reserve(counter, 1_000_000_000))),
}

const keyCounts: Readonly<Record<string, (request: number) => string>> = {
  'one key': () => 'key_1',
  'a key each': (request) => `key_${request % 64}`,
}

const rounds = 7
const roundMs = 400

const wanted = process.argv.slice(2)
for (const [name, open] of Object.entries(subjects)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const subject = await open()
  if (!subject) continue
  for (const [act, perform] of Object.entries(acts)) {
    for (const [keys, counterOf] of Object.entries(keyCounts)) {
      for (const inFlight of [1, 16, 64]) {
        const runs = []
        for (let round = 0; round < rounds; round++)
          runs.push(await measure(subject.stores, perform, counterOf, inFlight))
        // The first round is a warm-up.
        print(name, act, keys, inFlight, runs.slice(1))
      }
    }
  }
  await subject.stores.close()
  await subject.remove()
}

interface Run {
  readonly perSecond: number
  /** Microseconds. */
  readonly wall: number
  readonly cpu: number
}

async function measure(
  stores: Stores,
  perform: Act,
  counterOf: (request: number) => string,
  inFlight: number,
): Promise<Run> {
  const walls: number[] = []
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  let requests = 0
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() - startedAt < roundMs) {
        const askedAt = performance.now()
        await perform(stores, counterOf(requests++))
        walls.push(performance.now() - askedAt)
      }
    }),
  )
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    perSecond: (walls.length * 1_000) / (performance.now() - startedAt),
    wall: median(walls) * 1_000,
    cpu: (user + system) / walls.length,
  }
}

function print(name: string, act: string, keys: string, inFlight: number, runs: readonly Run[]): void {
  const of = (field: keyof Run) => Math.round(median(runs.map((run) => run[field])))
  console.log(
    `${name}, ${act}, ${keys}, ${inFlight} in flight: ` +
      `${of('wall')} µs wall, ${of('cpu')} µs cpu, ${of('perSecond')} a second`,
  )
}

function usageOf(counter: string): UsageRecord {
  return someUsage(newId, { userId: `usr_of_${counter}`, counter, at: Date.now() })
}
