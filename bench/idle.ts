// npm run bench:idle -- [seconds]: what a node that serves nothing costs, and how soon it delivers an event to a receiver on this
// machine. Uses the PostgreSQL server that DATABASE_URL names, or else one at 127.0.0.1:5432; it must run on this machine.
// Linux only.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { readCpuMicros } from './cpu-time.ts'
import { median } from './median.ts'
import { databaseCpuSince, nodesOnPostgres } from './postgres-nodes.ts'

const [seconds = 60] = process.argv.slice(2).map(Number)
/** Expired records are removed a minute after the start, and then every hour. In milliseconds. */
const settleMs = 70_000
const events = 20
/** The service is idle before each event. */
const betweenEventsMs = 1_000

const nodes = await nodesOnPostgres(1)
const node = await nodes.startNode()
try {
  await pause(settleMs)
  await measureIdle()
  await measureDeliveries()
} finally {
  await node.stop()
  await nodes.close()
}

async function measureIdle(): Promise<void> {
  const cpuBefore = readCpuMicros(node.pid)
  const before = await nodes.used()
  await pause(seconds * 1_000)
  const cpu = readCpuMicros(node.pid) - cpuBefore
  const after = await nodes.used()
  const perSecond = (after.transactions - before.transactions) / seconds
  const share = (micros: number) => `${(micros / seconds / 10_000).toFixed(2)}% of a core`
  console.log(`idle for ${seconds} s: ${perSecond.toFixed(2)} transactions a second,`)
  console.log(`the node takes ${share(cpu)}, PostgreSQL ${share(databaseCpuSince(before, after))}`)
}

async function measureDeliveries(): Promise<void> {
  const delays: number[] = []
  const receiver = createServer(async (request, response) => {
    const { timestamp } = (await json(request)) as { readonly timestamp: string }
    delays.push(Date.now() - Date.parse(timestamp))
    response.writeHead(204).end()
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  await post('/webhooks', { url, events: ['shipment.created'] })
  for (let n = 0; n < events; n++) {
    await post('/shipments', shipment(`order-${n}`))
    await pause(betweenEventsMs)
  }
  receiver.close()
  receiver.closeAllConnections()
  if (delays.length !== events) throw new Error(`${delays.length} of ${events} events arrived within a second`)
  console.log(
    `an event is delivered after ${median(delays)} ms (median of ${events}), the slowest after ${Math.max(...delays)} ms`,
  )
}

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(node.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${nodes.keys[0]}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 201) throw new Error(`POST ${path} returned ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

function shipment(reference: string): object {
  const address = { street: '1 Main Street', city: 'Oslo', country: 'NO' }
  const origin = { name: 'Ada', ...address, postal_code: '0150' }
  return { reference, origin, destination: { ...origin, name: 'Grace' }, parcels: [{ weight_kg: 1 }] }
}
