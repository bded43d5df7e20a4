// npm run bench:profile -- [rounds] [requests] [--beside folder] [--counts]: where a request through a provider spends its
// CPU time, and what it allocates, for a whole response and for a piece of a streamed one. Prints Markdown.
// --beside measures another checkout in the same rounds; --counts prints only what does not depend on time.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Slice, takeTurns } from './compare.ts'
import { type Count, countRequests } from './counts.ts'
import { type Gateway, streamedLoad, wholeLoad, withSubjects } from './gateway-rounds.ts'
import { median } from './median.ts'
import { type Shares, sumSelfTimes } from './self-times.ts'
import { pieces } from './servers/instant-completion.ts'
import type { Load, Subject } from './subject.ts'
import { markdownTable } from './write-report.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string' }, counts: { type: 'boolean' } },
})
const [rounds = 3, requests = 16_000] = positionals.map(Number)

const fairlead = { name: 'fairlead', server: 'fairlead-gateway' }
const passThrough = { name: 'pass-through', server: 'pass-through' }
const root = new URL('..', import.meta.url).href
const countedRequests = 50
const functionRows = 30
const minShare = 0.003

/** CPU time in microseconds. */
interface Cost {
  readonly request: number
  readonly piece: number
}

/** The costs of a gateway in each turn. */
type Turns = Readonly<Record<keyof Cost, number[]>>

printCounts(await countRequests(countedRequests))
if (!options.counts) await measureTime()

async function measureTime(): Promise<void> {
  const cost = await measureInRounds()
  await withSubjects([fairlead], async ([subject]) => {
    if (!subject) return
    const { requests: streams, ...streamed } = streamedLoad(requests)
    await profile(subject, 'request', cost.request, wholeLoad(requests))
    await profile(subject, 'streamed piece', cost.piece, { ...streamed, requests: 2 * streams })
  })
}

/** Prints the CPU times of the gateways, and returns Fairlead's. */
async function measureInRounds(): Promise<Cost> {
  const gateways: Omit<Gateway, 'label'>[] = [passThrough, fairlead]
  if (options.beside !== undefined) {
    gateways.push({ ...fairlead, name: options.beside, checkout: resolve(options.beside) })
  }
  const turns = new Map<string, Turns>(gateways.map(({ name }) => [name, { request: [], piece: [] }]))
  for (let round = 1; round <= rounds; round++)
    await withSubjects(gateways, (subjects) => measureRound(subjects, turns))
  const of = (name: string, field: keyof Cost) => turns.get(name)?.[field] ?? []
  const ratio = (name: string, to: string, field: keyof Cost) =>
    median(of(name, field).map((cost, turn) => cost / (of(to, field)[turn] ?? NaN))).toFixed(2)

  const times = of(fairlead.name, 'request').length
  console.log(`\n## CPU time: medians of ${times} alternating turns in ${rounds} rounds, 64 connections, 64 keys\n`)
  console.log(
    markdownTable(
      ['gateway', 'request', 'of the pass-through', 'streamed piece', 'of the pass-through'],
      gateways.map(({ name }) => [
        name,
        `${median(of(name, 'request')).toFixed(0)} µs`,
        ratio(name, passThrough.name, 'request'),
        `${median(of(name, 'piece')).toFixed(1)} µs`,
        ratio(name, passThrough.name, 'piece'),
      ]),
    ),
  )
  if (options.beside !== undefined) {
    const [request, piece] = (['request', 'piece'] as const).map((field) => ratio('fairlead', options.beside!, field))
    console.log(`\nOf ${options.beside}: ${request} for a request, ${piece} for a streamed piece.`)
  }
  return { request: median(of(fairlead.name, 'request')), piece: median(of(fairlead.name, 'piece')) }
}

/** Adds the costs of a round. */
async function measureRound(subjects: readonly Subject[], turns: ReadonlyMap<string, Turns>): Promise<void> {
  const whole = await takeTurns(subjects, wholeLoad(requests))
  const streamed = await takeTurns(subjects, streamedLoad(requests))
  for (const [name, { request, piece }] of turns) {
    request.push(...(whole.get(name) ?? []).map((slice) => microsOf(slice)))
    piece.push(...(streamed.get(name) ?? []).map((slice) => microsOf(slice) / pieces.length))
  }
}

/** Of a request. */
function microsOf({ requests: sent, cpuSeconds, failed }: Slice): number {
  if (failed > 0) throw new Error(`${failed} of ${sent} requests failed`)
  return (cpuSeconds * 1e6) / sent
}

/** Loads the service once to know the share of its main thread, and again with the profiler, which takes time itself. */
async function profile(subject: Subject, unit: string, micros: number, load: Load): Promise<void> {
  await subject.load({ ...load, requests: load.warmUp ?? load.requests })
  const before = await subject.usage()
  await subject.load(load)
  const after = await subject.usage()
  const mainThread = (after.mainThreadMicros - before.mainThreadMicros) / (after.cpuMicros - before.cpuMicros)
  const { packages, folders, functions } = sumSelfTimes(await subject.profile(() => subject.load(load)), root)

  const print = (title: string, shares: Shares) => {
    console.log(`\n## ${title}: self time per ${unit}\n`)
    const rows = shares.map(([name, share]) => [
      name,
      `${(share * micros).toFixed(2)} µs`,
      `${(share * 100).toFixed(1)}%`,
    ])
    console.log(markdownTable(['', 'CPU time', 'share'], rows))
  }
  /** Of the CPU time of the process. */
  const ofProcess = (shares: Shares) => shares.map(([name, share]) => [name, share * mainThread] as const)
  const large = (shares: Shares) => ofProcess(shares).filter(([, share]) => share >= minShare)
  print('Packages', [['other threads (V8)', 1 - mainThread], ...large(packages)])
  print('Folders', large(folders))
  print('Functions', ofProcess(functions).slice(0, functionRows))
}

function printCounts(counts: Readonly<Record<string, Count>>): void {
  console.log('## Allocated and created, one request at a time\n')
  console.log(
    markdownTable(
      ['', 'kB', 'promises', 'timers', 'AbortControllers'],
      Object.entries(counts).map(([name, { kB, promises, timers, AbortControllers }]) => [
        name,
        kB.toFixed(1),
        ...[promises, timers, AbortControllers].map(String),
      ]),
    ),
  )
}
