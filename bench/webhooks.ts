// npm run bench:webhooks -- [rounds] [requests]: what it costs POST /generate on SQLite to deliver the events of the calls to a
// receiver on this machine. The cases take turns on one service. Prints a Markdown table of medians, and the range of ratios.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median } from './median.ts'
import type { Order, Receipts } from './servers/webhook-receiver.ts'
import { startSubject } from './subject.ts'

const connections = 64
/** Each connection takes turns with this many keys. */
const keyCount = 64
/** In a multiple of so many requests, each key has the same number. */
const cycle = connections * keyCount
const [rounds = 7, wanted = 2 * cycle] = process.argv.slice(2).map(Number)
const requests = Math.max(1, Math.round(wanted / cycle)) * cycle
const warmUps = 4
const eventsPerSecond = 1_000
const maxWaitMs = 60_000
/** After the last receipt, the service records the last deliveries. */
const recordMs = 300

interface Case {
  readonly name: string
  /** How many of the keys belong to the subscriber. */
  keys: number
  readonly samples: Sample[]
}

/** Events are counted until the last one has arrived. */
interface Sample {
  readonly requestsPerCpuSecond: number
  readonly requestsPerSecond: number
  readonly eventsPerCpuSecond: number
  readonly eventsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const receiver = fork(fileURLToPath(new URL('servers/webhook-receiver.ts', import.meta.url)), {
  execArgv: ['--conditions=@fairlead/source'],
})
const [receiverPort] = (await once(receiver, 'message')) as [number]
const service = await startSubject('fairlead-webhooks')
const { keys: allKeys = [] } = service.ask
const ownKeys = allKeys.slice(0, keyCount)
const otherKeys = allKeys.slice(keyCount)
try {
  await measureAll()
} finally {
  service.stop()
  receiver.disconnect()
}

async function measureAll(): Promise<void> {
  const webhook = await callService('/webhooks', 'POST', {
    url: `http://127.0.0.1:${receiverPort}/`,
    events: ['generation.*'],
  })
  receiver.send({ secret: String(webhook['secret']) } satisfies Order)
  const path = `/webhooks/${webhook['id']}`
  const none: Case = { name: 'no subscriber', keys: 0, samples: [] }
  const some: Case = { name: `about ${eventsPerSecond} events per CPU-second`, keys: 0, samples: [] }
  const all: Case = { name: 'an event of every call', keys: keyCount, samples: [] }

  for (let n = 0; n < warmUps; n++) some.keys = keysFor(await measure(path, none), await measure(path, all))
  for (let round = 1; round <= rounds; round++) {
    for (const each of [none, some, all]) {
      const sample = await measure(path, each)
      each.samples.push(sample)
      console.log(`round ${round}  ${row(each, sample)}`)
    }
  }

  console.log(`\nMedians of ${rounds} rounds of ${requests} requests each, ${connections} connections.\n`)
  console.log(
    '| case | keys with events | requests per CPU-second | requests per second | events per CPU-second | events per second | p50 | p99 |',
  )
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const each of [none, some, all]) console.log(row(each, medianOf(each.samples)))
  for (const { name, samples } of [some, all]) {
    console.log(
      `\n${name}, compared with ${none.name}: ${ratios('requestsPerCpuSecond', samples, none.samples)} of the`,
    )
    console.log(
      `requests per CPU-second, ${ratios('requestsPerSecond', samples, none.samples)} of the requests per second`,
    )
  }
}

/** How many of the keys must cause events for `eventsPerSecond` of them in a second of CPU time. */
function keysFor(without: Sample, withEvents: Sample): number {
  const secondsPerCall = 1 / without.requestsPerCpuSecond
  const secondsPerEvent = 1 / withEvents.requestsPerCpuSecond - secondsPerCall
  const calls = Math.max(1, (1 - eventsPerSecond * secondsPerEvent) / secondsPerCall)
  return Math.min(keyCount, Math.round((keyCount * eventsPerSecond) / calls))
}

/** Loads the service, and waits until its events have arrived. */
async function measure(path: string, { keys }: Case): Promise<Sample> {
  await callService(path, 'PATCH', { enabled: keys > 0 })
  const before = await service.usage()
  const startedAt = Date.now()
  const { non2xx, errors } = await service.load({ requests, connections, keys: mixedKeys(keys) })
  const loadMs = Date.now() - startedAt
  const events = (requests * keys) / keyCount
  const { lastAt, delaysMs, repeated } = await receiptsOf(events)
  await sleep(recordMs)
  const cpuSeconds = ((await service.usage()).cpuMicros - before.cpuMicros) / 1e6
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`)
  if (delaysMs.length - repeated !== events)
    throw new Error(`${delaysMs.length - repeated} events instead of ${events}`)
  const sorted = delaysMs.toSorted((one, other) => one - other)
  return {
    requestsPerCpuSecond: requests / cpuSeconds,
    requestsPerSecond: requests / (loadMs / 1000),
    eventsPerCpuSecond: events / cpuSeconds,
    eventsPerSecond: events === 0 ? 0 : events / ((lastAt - startedAt) / 1000),
    p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  }
}

/** The keys of a load, with the subscriber's keys spread evenly. */
function mixedKeys(own: number): readonly string[] {
  return ownKeys.map((key, n) => {
    const isOwn = Math.floor(((n + 1) * own) / keyCount) > Math.floor((n * own) / keyCount)
    return isOwn ? key : otherKeys[n]!
  })
}

async function receiptsOf(events: number): Promise<Receipts> {
  receiver.send({ events } satisfies Order)
  const [receipts] = await once(receiver, 'message', { signal: AbortSignal.timeout(maxWaitMs) })
  return receipts as Receipts
}

async function callService(path: string, method: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: `Bearer ${ownKeys[0]}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { data } = (await response.json()) as { readonly data?: Readonly<Record<string, unknown>> }
  if (!data) throw new Error(`${method} ${path} failed with ${response.status}`)
  return data
}

function medianOf(samples: readonly Sample[]): Sample {
  const of = (field: keyof Sample) => median(samples.map((sample) => sample[field]))
  return {
    requestsPerCpuSecond: of('requestsPerCpuSecond'),
    requestsPerSecond: of('requestsPerSecond'),
    eventsPerCpuSecond: of('eventsPerCpuSecond'),
    eventsPerSecond: of('eventsPerSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
  }
}

/** The median and the range of the ratios in each round. */
function ratios(field: keyof Sample, samples: readonly Sample[], base: readonly Sample[]): string {
  const found = samples.map((sample, round) => sample[field] / base[round]![field])
  return `${median(found).toFixed(2)} (${Math.min(...found).toFixed(2)} to ${Math.max(...found).toFixed(2)})`
}

function row({ name, keys }: Case, sample: Sample): string {
  const counts = [
    sample.requestsPerCpuSecond,
    sample.requestsPerSecond,
    sample.eventsPerCpuSecond,
    sample.eventsPerSecond,
  ].map((value) => Math.round(value).toLocaleString('en'))
  const cells = [name, `${keys} of ${keyCount}`, ...counts, `${sample.p50Ms} ms`, `${sample.p99Ms} ms`]
  return `| ${cells.join(' | ')} |`
}
