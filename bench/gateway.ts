// npm run bench:gateway -- [rounds] [requests]: a text from an upstream that responds at once, through Fairlead with 64 API
// keys and with one, through Portkey, and through a pass-through proxy. Medians of rounds with fresh processes.
// Prints a Markdown table, and writes docs/gateway-benchmark.svg.
import { writeFileSync } from 'node:fs'
import { barChart } from './bar-chart.ts'
import { loadInTurns, type Sample } from './compare.ts'
import { median } from './median.ts'
import { pieces } from './servers/instant-completion.ts'
import { startSubject, type Subject } from './subject.ts'

const [rounds = 5, requests = 10_000] = process.argv.slice(2).map(Number)
const connections = 64
/** Streams with many chunks each. */
const streams = { connections, streamed: true, requests: requests / 8, warmUp: 2_000 }
const warmUpTurns = 10
const turns = 20
/** Sequential requests, as on a busy connection. */
const requestsInTurn = 50
const gateways = ['pass-through', 'portkey', 'fairlead-gateway'] as const
type Gateway = (typeof gateways)[number]

const labels: Readonly<Record<Gateway, string>> = {
  'pass-through': 'pass-through: `node:http`, undici, no parsing',
  portkey: 'Portkey 1.15.2',
  'fairlead-gateway': 'Fairlead',
}

/** Includes the latency that a gateway adds to the upstream's, with sequential requests; medians in milliseconds. */
interface Figures extends Omit<Sample, 'p99Ms'> {
  /** With one API key instead of 64, if the gateway has API keys. */
  readonly oneKeyRequestsPerCpuSecond: number
  readonly addedMs: number
  readonly addedToFirstPieceMs: number
  /** CPU time of a streamed response per chunk. */
  readonly microsecondsPerPiece: number
}

const all: ReadonlyMap<Gateway, Figures>[] = []
for (let round = 1; round <= rounds; round++) {
  const found = await measure()
  all.push(found)
  for (const [gateway, figures] of found) console.log(`round ${round}  ${row(gateway, figures)}`)
}

console.log(`\nMedians of ${rounds} rounds, ${requests} requests each, ${connections} connections.\n`)
console.log(
  '| gateway | requests per CPU-second | with one key | added latency | added to the first piece | CPU time per piece |',
)
console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
for (const gateway of gateways) {
  const cells = [
    labels[gateway],
    whole(medianOf(gateway, 'requestsPerCpuSecond')),
    whole(medianOf(gateway, 'oneKeyRequestsPerCpuSecond')),
    `${medianOf(gateway, 'addedMs').toFixed(2)} ms`,
    `${medianOf(gateway, 'addedToFirstPieceMs').toFixed(2)} ms`,
    `${medianOf(gateway, 'microsecondsPerPiece').toFixed(1)} µs`,
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
console.log(
  `\nFairlead: ${ratio('requestsPerCpuSecond', 'portkey')} times Portkey's requests per CPU-second, ` +
    `${ratio('requestsPerCpuSecond', 'pass-through')} of the pass-through's; ` +
    `${ratio('addedMs', 'portkey')} of Portkey's added latency; ` +
    `a streamed piece takes ${ratio('microsecondsPerPiece', 'portkey')} of Portkey's CPU time.`,
)
const bars = gateways.map((gateway) => ({
  label: labels[gateway].split(':')[0]!,
  value: medianOf(gateway, 'requestsPerCpuSecond'),
}))
const chart = barChart('Requests per CPU-second', bars)
writeFileSync(new URL('../docs/gateway-benchmark.svg', import.meta.url), chart)

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function ratio(field: keyof Figures, to: Gateway): string {
  return (medianOf('fairlead-gateway', field) / medianOf(to, field)).toFixed(2)
}

function medianOf(gateway: Gateway, field: keyof Figures): number {
  return median(all.map((figures) => figures.get(gateway)?.[field] ?? NaN))
}

async function measure(): Promise<ReadonlyMap<Gateway, Figures>> {
  const upstream = await startSubject('upstream')
  const subjects: Subject[] = []
  try {
    for (const gateway of gateways) subjects.push(await startSubject(gateway, { UPSTREAM_URL: upstream.url }))
    const samples = await loadInTurns(subjects, { connections, requests, allKeys: true })
    const withOneKey = await loadInTurns(subjects, { connections, requests: requests / 2, warmUp: 2_000 })
    const streamed = await loadInTurns(subjects, streams)
    const added = await timeAdded(upstream, subjects, 'whole')
    const addedToFirst = await timeAdded(upstream, subjects, 'first piece')
    return new Map(
      gateways.map((gateway) => {
        const sample = samples.get(gateway) as Sample
        const inPieces = streamed.get(gateway) as Sample
        const figures = {
          ...sample,
          oneKeyRequestsPerCpuSecond: withOneKey.get(gateway)?.requestsPerCpuSecond ?? NaN,
          failed: sample.failed + inPieces.failed,
          addedMs: added(gateway),
          addedToFirstPieceMs: addedToFirst(gateway),
          microsecondsPerPiece: 1e6 / inPieces.requestsPerCpuSecond / pieces.length,
        }
        return [gateway, figures]
      }),
    )
  } finally {
    for (const subject of [...subjects, upstream]) subject.stop()
  }
}

/** Sends sequential requests to each in turns, and subtracts the upstream's latency. */
async function timeAdded(upstream: Subject, subjects: readonly Subject[], what: Parameters<Subject['time']>[0]) {
  const times = new Map<string, number[]>([upstream, ...subjects].map(({ name }) => [name, []]))
  for (let turn = 0; turn < warmUpTurns + turns; turn++) {
    for (const subject of [upstream, ...subjects]) {
      for (let request = 0; request < requestsInTurn; request++) {
        const tookMs = await subject.time(what)
        if (turn >= warmUpTurns) times.get(subject.name)?.push(tookMs)
      }
    }
  }
  const medianTime = (name: string) => median(times.get(name) ?? [])
  return (gateway: Gateway) => medianTime(gateway) - medianTime(upstream.name)
}

function row(gateway: Gateway, figures: Figures): string {
  return [
    gateway.padEnd(16),
    `${Math.round(figures.requestsPerCpuSecond)} requests/CPU-s`.padStart(22),
    `p50 ${figures.p50Ms} ms`.padStart(12),
    `added ${figures.addedMs.toFixed(2)} ms`.padStart(16),
    `first piece ${figures.addedToFirstPieceMs.toFixed(2)} ms`.padStart(22),
    `${figures.microsecondsPerPiece.toFixed(1)} µs a piece`.padStart(18),
    `${Math.round(figures.residentMegabytes)} MB`.padStart(8),
    figures.failed > 0 ? `${figures.failed} FAILED` : '',
  ].join('  ')
}
