// Times the pages that the dashboard and the API read, on a filled database, and explains the slowest statements. The
// server must run on this machine, and uses one core for each statement. Linux only.
import { accounts } from '@fairlead/accounts'
import { createFairlead } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import { shipments } from '@fairlead/shipments'
import { webhooks } from '@fairlead/webhooks'
import { testClock, addTestCaller, fakeOutbound, scripted } from '@fairlead/testing'
import { postgresStores } from '@fairlead/storage'
import { createTestDatabase } from '@fairlead/storage/testing'
import { Client } from 'pg'
import { readCpuMicros } from './cpu-time.ts'
import { fillDatabase, type Sizes } from './fill-database.ts'
import { median } from './median.ts'

const rounds = 5
const maxMs = 200
const explained = 3
const dayMs = 86_400_000

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly ms: number
}

/**
 * Prints for each page the time of its slowest statement, its own time, and the CPU time of the server, and then the plans
 * of the slowest statements. Returns whether a statement takes too long.
 */
export async function timePages(serverUrl: string, sizes: Sizes): Promise<boolean> {
  const database = await createTestDatabase(serverUrl)
  // So that the CPU time of a page is its connections' alone.
  await database.query(`do $$ begin
    execute format('alter database %I set max_parallel_workers_per_gather = 0', current_database());
  end $$`)
  const clock = testClock(Date.now())
  const stores = await postgresStores({ url: database.url, clock })
  const watched = watchStatements()
  try {
    const admin = await addTestCaller(stores, clock, { user: { role: 'admin', tier: 'enterprise' } })
    const { busyUser, rareUser, webhookId } = await fillDatabase(database, stores, clock, {
      ...sizes,
      webhookOwner: admin.userId,
    })
    const { core } = createFairlead({
      providers: [scripted('calm', 'hello')],
      features: [accounts(), shipments(), webhooks({ outbound: fakeOutbound() })],
      stores,
      testing: { clock },
    })
    const ask = async (name: keyof typeof operations, input: object) => {
      const reply = await core.run(operations[name], admin.credentials, input)
      if (!('data' in reply)) throw new Error(JSON.stringify({ name, input, reply }))
      return reply.data
    }
    const firstOf = async (name: 'requests' | 'events', input: object) => {
      const [first] = (await ask(name, input)) as readonly { readonly id: string; readonly requestId?: string }[]
      return first!
    }
    const serverCpu = async () => {
      const rows = await database.query<{ pid: number }>(
        'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      return rows.reduce((sum, { pid }) => sum + readCpuMicros(pid), 0) / 1_000
    }
    const ago = (passedDays: number) => new Date(clock.now() - passedDays * dayMs).toISOString()
    const request = await firstOf('requests', { createdBefore: ago(45) })
    const event = await firstOf('events', { userId: rareUser })
    const quarter = { from: ago(89) }
    const pages: readonly (readonly [name: keyof typeof operations, input: object])[] = [
      ['requests', {}],
      ['requests', { userId: busyUser }],
      ['requests', { userId: rareUser }],
      ['requests', { userId: admin.userId }],
      ['requests', { keyId: 'sessions' }],
      ['requests', { model: 'upstream/model-3' }],
      ['requests', { model: 'upstream/unknown' }],
      ['requests', { operation: 'analyze' }],
      ['requests', { status: 'error' }],
      ['requests', { status: 'partial' }],
      ['requests', { charged: false, userId: busyUser }],
      ['requests', { createdAfter: ago(46), createdBefore: ago(45) }],
      ['requests', { createdBefore: ago(45), model: 'upstream/unknown' }],
      ['requests', { requestId: request.requestId }],
      ['request', { id: request.id }],
      ['request', { id: request.requestId }],
      ['usage', { userId: busyUser }],
      ['usage', { allUsers: true }],
      ...(['day', 'model', 'operation', 'key', 'user'] as const).flatMap(
        (groupBy) =>
          [
            ['usageTimeseries', { groupBy, allUsers: true }],
            ['usageTimeseries', { groupBy, allUsers: true, ...quarter }],
          ] as const,
      ),
      ['usageTimeseries', { groupBy: 'day', splitBy: 'model', allUsers: true, ...quarter }],
      ['usageTimeseries', { groupBy: 'day', userId: busyUser, ...quarter }],
      ['usageTimeseries', { groupBy: 'hour', from: ago(30), userId: busyUser }],
      ['usageTimeseries', { groupBy: 'hour', from: ago(1), allUsers: true }],
      ['usageTimeseries', { groupBy: 'hour', from: ago(7), allUsers: true }],
      // The dashboard sums up the days of other time zones than UTC of hours.
      ['usageTimeseries', { groupBy: 'hour', from: ago(30), allUsers: true }],
      ['events', {}],
      ['events', { userId: busyUser }],
      ['events', { userId: rareUser }],
      ['events', { type: 'shipment.*' }],
      ['events', { type: 'quota.warning' }],
      ['events', { type: 'user.created' }],
      ['events', { type: 'shipment.updated', userId: rareUser }],
      ['event', { id: event.id }],
      ['deliveries', { webhookId }],
      ['deliveries', { webhookId, status: 'failed' }],
      ['deliveries', { webhookId, status: 'pending' }],
      ['deliveries', { webhookId, status: 'delivered' }],
      ['webhooks', {}],
      ['apiKeys', { userId: busyUser }],
      ['users', {}],
      ['users', { email: 'user-7@example.com' }],
      ['user', { id: busyUser }],
      ['shipments', {}],
    ]
    const work: readonly (readonly [name: string, read: () => Promise<unknown>])[] = [
      ...pages.map(([name, input]) => [`${name} ${JSON.stringify(input)}`, () => ask(name, input)] as const),
      [
        'a stream of events that continues after a month',
        async () => {
          const position = await stores.read((view) => view.events.positionOf(event.id))
          await stores.read((view) => view.events.follow(position ?? '0:0', 100))
        },
      ],
      ['the queue of deliveries', () => stores.read((view) => view.deliveries.queue())],
    ]
    const slowest: Statement[] = []
    for (const [name, read] of work) {
      const times: number[] = []
      const longest: Statement[] = []
      const cpuBefore = await serverCpu()
      for (let round = 0; round < rounds; round++) {
        watched.statements.length = 0
        const startedAt = performance.now()
        await read()
        times.push(performance.now() - startedAt)
        longest.push(watched.statements.toSorted(slowestFirst)[0]!)
      }
      const cpu = ((await serverCpu()) - cpuBefore) / rounds
      const statement = longest.toSorted(slowestFirst)[Math.floor(rounds / 2)]!
      slowest.push(statement)
      const cells = [statement.ms.toFixed(1), median(times).toFixed(1), cpu.toFixed(0)]
      console.log(`${cells.map((cell) => `${cell.padStart(8)} ms`).join('')}  ${name}`)
    }
    slowest.sort(slowestFirst)
    for (const { text, values } of slowest.slice(0, explained)) {
      const plan = await database.query(`explain (analyze, buffers) ${text}`, values)
      console.log(`\n${text}\n${plan.map((row) => String(row['QUERY PLAN'])).join('\n')}`)
    }
    return slowest[0]!.ms > maxMs
  } finally {
    watched.stop()
    await stores.close()
    await database.drop()
  }
}

function slowestFirst(one: Statement, other: Statement): number {
  return other.ms - one.ms
}

/** Collects the statements that clients of `pg` run. */
function watchStatements() {
  const statements: Statement[] = []
  const original = Client.prototype.query as (this: Client, statement: unknown, values?: unknown) => unknown
  const watching = async function (this: Client, statement: unknown, values?: unknown) {
    const startedAt = performance.now()
    const result = await original.call(this, statement, values)
    if (typeof statement === 'object' && statement !== null && 'text' in statement && 'values' in statement) {
      const { text, values: given } = statement as Pick<Statement, 'text' | 'values'>
      statements.push({ text, values: given, ms: performance.now() - startedAt })
    }
    return result
  }
  Client.prototype.query = watching as typeof Client.prototype.query
  return { statements, stop: () => void (Client.prototype.query = original as typeof Client.prototype.query) }
}
