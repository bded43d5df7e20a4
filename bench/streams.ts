// npm run bench:streams -- [streams] [pieces] [every ms] [--within ms] [--keys n] [--rounds n]: many open streams whose pieces
// come alone, through a pass-through proxy, nginx, Fairlead, and Portkey. Medians of rounds in which they take turns, each in
// a fresh process. Prints a Markdown table. Without a number of streams, it measures several, and writes the tables to
// docs/performance.md. The system must allow two open files for each stream (ulimit -n).
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Gateway, gatewaysHere, nginx, passThrough, portkey } from './gateway-rounds.ts'
import { openStreams, type StreamLoad, type Streamed } from './open-streams.ts'
import { median } from './median.ts'
import { quantile } from './quantile.ts'
import { startSubject, type Subject } from './subject.ts'
import { createStreamsReport, type StreamFigures } from './streams-report.ts'
import { writeReport } from './write-report.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    within: { type: 'string', default: '500' },
    keys: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
  },
})
const [given, pieces = 21, everyMs = 500] = positionals.map(Number)
const rounds = Number(options.rounds)
const counts = given === undefined ? [100, 1_000, 2_000, 5_000] : [given]

/** After a load, a server settles what it served, and collects garbage. Connections to the upstream end meanwhile. */
const settleMs = 4_000
/** How often memory is read while streams are open. */
const pollMs = 500
/**
 * Compiles the code, with few streams at once, so that the memory of many is measured afterwards. With 2,000 streams instead of
 * 12,000, opening one takes half as much again, and with the pass-through twice as much.
 */
const warmUp = { waves: 120, streams: 100, pieces: 3, everyMs: 10, withinMs: 0, keys: 1 }

const { gateways, missing } = gatewaysHere([
  passThrough,
  nginx,
  { name: 'fairlead', label: 'Fairlead', server: 'fairlead-chat' },
  portkey,
])
for (const line of missing) console.warn(line)

const reports: string[] = []
for (const streams of counts) {
  const load = { streams, pieces, everyMs, withinMs: Number(options.within), keys: Number(options.keys) }
  const report = createStreamsReport(load, rounds, gateways, await measureRounds(load))
  console.log(`\n${report}\n`)
  reports.push(report)
}
if (given === undefined) writeReport('bench:streams', reports.join('\n\n'))
for (const line of missing) console.warn(line)

/** The medians of all rounds. */
async function measureRounds(load: StreamLoad): Promise<ReadonlyMap<string, StreamFigures>> {
  const measured = new Map<string, StreamFigures[]>(gateways.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    const direct = await measureDirect(load)
    // Each round begins with another gateway.
    const first = round % gateways.length
    for (const gateway of [...gateways.slice(first), ...gateways.slice(0, first)]) {
      const figures = await measureGateway(gateway, load, direct)
      measured.get(gateway.name)?.push(figures)
      console.log(`round ${round + 1}  ${gateway.name.padEnd(12)}  ${JSON.stringify(figures, roundNumber)}`)
    }
  }
  return new Map([...measured].map(([name, all]) => [name, takeMedians(all)]))
}

/** The upstream without a gateway. */
async function measureDirect(load: StreamLoad): Promise<Streamed> {
  const upstream = await startSubject('pieces-upstream')
  try {
    await warm(upstream)
    return await openStreams(upstream, load)
  } finally {
    upstream.stop()
  }
}

/** Starts a gateway and an upstream, and loads them with streams of one piece, and with long ones. */
async function measureGateway(gateway: Gateway, load: StreamLoad, direct: Streamed): Promise<StreamFigures> {
  const upstream = await startSubject('pieces-upstream')
  const subject = await startSubject(gateway.server, { UPSTREAM_URL: upstream.url }, gateway)
  try {
    await warm(subject)
    const before = await subject.usage()
    const short = await measureLoad(subject, upstream, { ...load, pieces: 1 })
    const long = await measureLoad(subject, upstream, load)
    const pieceMicros = (long.cpuMicros - short.cpuMicros) / (load.pieces - 1)
    const added = (share: number) => quantile(long.firstPieceMs, share) - quantile(direct.firstPieceMs, share)
    return {
      streamMs: long.cpuMicros / 1e3,
      openMs: (short.cpuMicros - pieceMicros) / 1e3,
      pieceMicros,
      firstP50Ms: added(0.5),
      firstP99Ms: added(0.99),
      openKilobytes: (long.openBytes - before.residentBytes) / 1e3 / load.streams,
      openMegabytes: long.openBytes / 1e6,
      afterMegabytes: long.afterBytes / 1e6,
      loadCore: long.loadCore,
      failed: short.failed + long.failed,
    }
  } finally {
    subject.stop()
    upstream.stop()
  }
}

async function warm(subject: Subject): Promise<void> {
  for (let wave = 0; wave < warmUp.waves; wave++) await openStreams(subject, warmUp)
  await sleep(settleMs)
}

async function measureLoad(subject: Subject, upstream: Subject, load: StreamLoad) {
  const before = await subject.usage()
  const share = await startLoadCore(upstream)
  let loadCore = NaN
  let openBytes = 0
  const polling = setInterval(async () => {
    openBytes = Math.max(openBytes, (await subject.usage()).residentBytes)
  }, pollMs)
  const { firstPieceMs, failures } = await openStreams(subject, load, async () => {
    loadCore = await share()
  })
  clearInterval(polling)
  await sleep(settleMs)
  const after = await subject.usage()
  for (const [reason, count] of failures) console.warn(`${subject.name}: ${count} of ${load.streams} failed: ${reason}`)
  return {
    /** Of a stream. */
    cpuMicros: (after.cpuMicros - before.cpuMicros) / load.streams,
    firstPieceMs,
    openBytes,
    afterBytes: after.residentBytes,
    loadCore,
    failed: [...failures.values()].reduce((sum, count) => sum + count, 0),
  }
}

/** Returns the share of its core that the client and the upstream use from here on. Near 1, they are what is measured. */
async function startLoadCore(upstream: Subject): Promise<() => Promise<number>> {
  const usedMicros = async () => {
    const { user, system } = process.cpuUsage()
    return user + system + (await upstream.usage()).cpuMicros
  }
  const startedAt = performance.now()
  const before = await usedMicros()
  return async () => ((await usedMicros()) - before) / 1e3 / (performance.now() - startedAt)
}

function takeMedians(all: readonly StreamFigures[]): StreamFigures {
  const names = Object.keys(all[0] ?? {}) as (keyof StreamFigures)[]
  const medians = Object.fromEntries(names.map((name) => [name, median(all.map((figures) => figures[name]))]))
  // A failure in any round is shown.
  return { ...(medians as unknown as StreamFigures), failed: Math.max(...all.map(({ failed }) => failed)) }
}

function roundNumber(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(3)) : value
}
