// node --conditions=@fairlead/source bench/usage.ts [hours]: the cost of summing a year of a busy user's usage.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accounts } from '@fairlead/accounts'
import { createFairlead, systemClock } from '@fairlead/core'
import { operations, type Stores } from '@fairlead/testing/workspace'
import { createIds } from '@fairlead/core/adapter'
import { addTestCaller, scripted, someUsage } from '@fairlead/testing'
import { sqliteStores } from '@fairlead/storage'

const hours = Number(process.argv[2] ?? 366 * 24)
const hourMs = 3_600_000
const now = Date.now()
const models = ['scribe', 'mirror', 'large'] as const
const rounds = 15
const maxMs = 100

const directory = await mkdtemp(join(tmpdir(), 'fairlead-usage-'))
try {
  const stores = await sqliteStores({ path: join(directory, 'usage.db') })
  const { credentials, userId, keyId } = await addTestCaller(stores, systemClock)
  await fill(stores, userId, keyId)
  const { core } = createFairlead({ providers: [scripted('calm', 'hello')], features: [accounts()], stores })
  const year = { from: new Date(now - 365 * 24 * hourMs).toISOString() }
  for (const groupBy of ['day', 'model', 'operation', 'key']) {
    await report(groupBy, () => core.run(operations.usageTimeseries, credentials, { ...year, groupBy }))
  }
  await report('hour, a month', () => core.run(operations.usageTimeseries, credentials, { groupBy: 'hour' }))
  await report('this month', () => core.run(operations.usage, credentials, {}))
  await stores.close()
} finally {
  await rm(directory, { recursive: true })
}

/** Four operations in every hour of the year. The number of sums does not depend on the number of calls. */
async function fill(stores: Stores, userId: string, counter: string): Promise<void> {
  const startedAt = performance.now()
  const newId = createIds(Date.now)
  for (let hour = 0; hour < hours; hour++) {
    await stores.transact(async (tx) => {
      for (const model of [...models, null]) {
        const operation = model === null ? 'models' : 'generate'
        const facts = { userId, counter, operation, model, at: now - hour * hourMs, durationMs: (hour * 37) % 2_000 }
        await tx.usage.add(someUsage(newId, facts))
      }
    })
  }
  console.log(`${hours * 4} runs added in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

async function report(name: string, ask: () => Promise<{ readonly success: boolean }>): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    if (!(await ask()).success) throw new Error(`${name} was refused`)
    times.push(performance.now() - startedAt)
  }
  const median = times.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? Infinity
  if (median > maxMs) process.exitCode = 1
  console.log(`SQLite  by ${name.padEnd(14)}  ${median.toFixed(1)} ms`)
}
