// npm run bench:nodes -- [rounds] [seconds]: what a call through a provider costs with one node and with three behind nginx,
// on one PostgreSQL database, at the same total load. Medians of rounds in which they take turns. Uses the server that
// DATABASE_URL names, or else one at 127.0.0.1:5432; it must run on this machine, and so must nginx. Linux only.
import { readCpuMicros } from './cpu-time.ts'
import { median } from './median.ts'
import { databaseCpuSince, loadNodes, nodesOnPostgres } from './postgres-nodes.ts'
import { runNginx } from './servers/run-nginx.ts'

const [rounds = 5, seconds = 8] = process.argv.slice(2).map(Number)
/** Calls a second, by all nodes together. */
const rates = [100, 300, 600] as const
const keyCounts = [1, 64] as const

/** Of a call, CPU times in microseconds. */
interface Cost {
  readonly node: number
  readonly postgres: number
  readonly transactions: number
}

const nodes = await nodesOnPostgres(64)
const all = await Promise.all([1, 2, 3, 4].map(() => nodes.startNode()))
const services = await Promise.all([all.slice(0, 1), all.slice(1)].map(startService))
try {
  for (const service of services) await loadNodes(service.url, nodes.keys, Math.max(...rates), 10)
  console.log('| API keys | calls a second | nodes | CPU in Node | CPU in PostgreSQL | transactions |')
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const keys of keyCounts) for (const rate of rates) await compare(keys, rate)
} finally {
  for (const node of all) await node.stop()
  await nodes.close()
}

async function startService(own: typeof all) {
  const { port, child } = await runNginx(own.map(({ url }) => url))
  process.on('exit', () => child.kill('SIGKILL'))
  return { url: `http://127.0.0.1:${port}`, pids: own.map(({ pid }) => pid) }
}

/** Prints a row for each number of nodes, and the ratio. */
async function compare(keys: number, rate: number): Promise<void> {
  const costs = services.map((): Cost[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, service] of services.entries()) costs[index]!.push(await costOf(service, keys, rate))
  }
  const [one, three] = costs.map((measured) => {
    const of = (field: keyof Cost) => median(measured.map((cost) => cost[field]))
    return { node: of('node'), postgres: of('postgres'), transactions: of('transactions') }
  }) as [Cost, Cost]
  for (const [count, cost] of [
    [1, one],
    [3, three],
  ] as const) {
    const { node, postgres, transactions } = cost
    console.log(
      `| ${keys} | ${rate} | ${count} | ${Math.round(node)} µs | ${Math.round(postgres)} µs | ${transactions.toFixed(2)} |`,
    )
  }
  const ratio = (of: (cost: Cost) => number) => (of(three) / of(one)).toFixed(2)
  console.log(
    `| ${keys} | ${rate} | ratio | ${ratio((cost) => cost.node)} | ${ratio((cost) => cost.postgres)} | ` +
      `${ratio((cost) => cost.transactions)}; both CPU times ${ratio((cost) => cost.node + cost.postgres)} |`,
  )
}

async function costOf(service: (typeof services)[number], keys: number, rate: number): Promise<Cost> {
  const cpu = () => service.pids.reduce((sum, pid) => sum + readCpuMicros(pid), 0)
  const before = await nodes.used()
  const cpuBefore = cpu()
  const { '2xx': calls } = await loadNodes(service.url, nodes.keys.slice(0, keys), rate, seconds)
  const spent = cpu() - cpuBefore
  const after = await nodes.used()
  return {
    node: spent / calls,
    postgres: databaseCpuSince(before, after) / calls,
    transactions: (after.transactions - before.transactions) / calls,
  }
}
