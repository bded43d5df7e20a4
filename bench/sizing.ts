// npm run bench:sizing -- [seconds]: what a call through a provider costs a node and PostgreSQL at several rates: CPU time,
// transactions, write-ahead log, and disk. Uses the server that DATABASE_URL names, or else one at 127.0.0.1:5432; it must
// run on this machine. Linux only.
import { readFileSync } from 'node:fs'
import { readCpuMicros } from './cpu-time.ts'
import { databaseCpuSince, loadNodes, nodesOnPostgres } from './postgres-nodes.ts'

const [seconds = 20] = process.argv.slice(2).map(Number)
/** Calls in a second, and then as many as the node answers. */
const rates = [100, 500, 2_000, undefined] as const

const nodes = await nodesOnPostgres(64)
const node = await nodes.startNode()
try {
  await loadNodes(node.url, nodes.keys, undefined, 5)
  console.log('| calls a second | CPU of the node | CPU of PostgreSQL | transactions | WAL | p50 | p99 |')
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  const sizeBefore = (await nodes.used()).size
  let calls = 0
  for (const rate of rates) calls += await measure(rate)
  const bytes = ((await nodes.used()).size - sizeBefore) / calls
  console.log(`\n${calls} calls took ${Math.round(bytes)} bytes of the database each; the node has ${memory()} MB.`)
} finally {
  await node.stop()
  await nodes.close()
}

/** Prints a row of the table. Resolves to the number of calls. */
async function measure(rate: number | undefined): Promise<number> {
  const cpuBefore = readCpuMicros(node.pid)
  const before = await nodes.used()
  const { '2xx': calls, latency, duration } = await loadNodes(node.url, nodes.keys, rate, seconds)
  const cpu = readCpuMicros(node.pid) - cpuBefore
  const after = await nodes.used()
  const cells = [
    Math.round(calls / duration).toLocaleString('en'),
    `${Math.round(cpu / calls)} µs`,
    `${Math.round(databaseCpuSince(before, after) / calls)} µs`,
    ((after.transactions - before.transactions) / calls).toFixed(2),
    `${((after.wal - before.wal) / calls / 1_000).toFixed(1)} kB`,
    `${latency.p50} ms`,
    `${latency.p99} ms`,
  ]
  console.log(`| ${cells.join(' | ')} |`)
  return calls
}

/** The resident memory of the node in megabytes. */
function memory(): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${node.pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1_000)
}
