// npm run bench:gateway -- [rounds] [requests]: a text from an instant model on another server, through Fairlead, through
// Portkey, and through a server that only passes bytes on; medians of rounds with fresh processes.
import { loadInTurns, type Sample } from './compare.ts'
import { median } from './median.ts'
import { pieces } from './servers/instant-completion.ts'
import { startSubject, type Subject } from './subject.ts'

const [rounds = 5, requests = 10_000] = process.argv.slice(2).map(Number)
const connections = 64
/** Of many pieces each. */
const streams = { connections, streamed: true, requests: requests / 8, warmUp: 2_000 }
const warmUpTurns = 10
const turns = 20
/** One after the other, as on a connection that is in use. */
const requestsInTurn = 50
const gateways = ['pass-through', 'portkey', 'fairlead-gateway'] as const
type Gateway = (typeof gateways)[number]

/** With what a gateway adds to the model's own time, one request at a time; medians, in milliseconds. */
interface Figures extends Omit<Sample, 'p99Ms'> {
  readonly addedMs: number
  readonly addedToFirstPieceMs: number
  /** Processor time of a streamed answer, over the number of its pieces. */
  readonly microsecondsPerPiece: number
}

const all: ReadonlyMap<Gateway, Figures>[] = []
for (let round = 1; round <= rounds; round++) {
  const found = await measure()
  all.push(found)
  for (const [gateway, figures] of found) console.log(`round ${round}  ${row(gateway, figures)}`)
}

console.log(`\nmedians of ${rounds} rounds, ${requests} requests each, ${connections} connections`)
for (const gateway of gateways) {
  const middle = (field: keyof Figures) => medianOf(gateway, field)
  console.log(
    row(gateway, {
      requestsPerCpuSecond: middle('requestsPerCpuSecond'),
      p50Ms: middle('p50Ms'),
      residentMegabytes: middle('residentMegabytes'),
      failed: middle('failed'),
      addedMs: middle('addedMs'),
      addedToFirstPieceMs: middle('addedToFirstPieceMs'),
      microsecondsPerPiece: middle('microsecondsPerPiece'),
    }),
  )
}
console.log(
  `fairlead per CPU-second: ${ratio('requestsPerCpuSecond', 'portkey')} times Portkey, ` +
    `${ratio('requestsPerCpuSecond', 'pass-through')} of the pass-through; ` +
    `adds ${ratio('addedToFirstPieceMs', 'pass-through')} times as much to a first piece as the pass-through; ` +
    `a piece takes ${ratio('microsecondsPerPiece', 'portkey')} of Portkey's processor time, ` +
    `${ratio('microsecondsPerPiece', 'pass-through')} times the pass-through's`,
)

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
    const samples = await loadInTurns(subjects, { connections, requests })
    const streamed = await loadInTurns(subjects, streams)
    const added = await timeAdded(upstream, subjects, 'whole')
    const addedToFirst = await timeAdded(upstream, subjects, 'first piece')
    return new Map(
      gateways.map((gateway) => {
        const sample = samples.get(gateway) as Sample
        const inPieces = streamed.get(gateway) as Sample
        const figures = {
          ...sample,
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

/** One request at a time, some to each in turns; the model's own time is taken off. */
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
