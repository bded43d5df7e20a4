import { spawnSync } from 'node:child_process'
import { loadInTurns, type Sample } from './compare.ts'
import { median } from './median.ts'
import { pieces } from './servers/instant-completion.ts'
import { type Load, startSubject, type Subject } from './subject.ts'

/** A compared gateway. */
export interface Gateway {
  readonly name: string
  readonly label: string
  /** One of `servers/`. */
  readonly server: string
  /** How long each sync of its disk takes at least, in milliseconds. */
  readonly syncMs?: number
  /** The checkout that holds the server. Default: this one. */
  readonly checkout?: string
  /** A command that fails where the system lacks a program that the server needs. */
  readonly needs?: readonly [string, ...string[]]
}

/** Includes the latency that a gateway adds to the upstream's, with sequential requests; medians in milliseconds. */
export interface Figures extends Omit<Sample, 'p99Ms'> {
  /** With one API key instead of 64, if the gateway has API keys. */
  readonly oneKeyRequestsPerCpuSecond: number
  readonly addedMs: number
  readonly addedToFirstPieceMs: number
  /** CPU time of a streamed response per chunk. */
  readonly microsecondsPerPiece: number
}

export const nginx: Gateway = { name: 'nginx', label: 'nginx, reverse proxy', server: 'nginx', needs: ['nginx', '-v'] }
export const passThrough: Gateway = {
  name: 'pass-through',
  label: 'pass-through: `node:http`, undici, no parsing',
  server: 'pass-through',
}
export const portkey: Gateway = { name: 'portkey', label: 'Portkey 1.15.2', server: 'portkey' }

const allGateways: readonly Gateway[] = [
  nginx,
  passThrough,
  { name: 'fairlead', label: 'Fairlead', server: 'fairlead-gateway' },
  {
    name: 'fairlead, 5 ms disk',
    label: 'Fairlead, 5 ms disk',
    server: 'fairlead-gateway',
    syncMs: 5,
    needs: ['strace', '-o', '/dev/null', 'true'],
  },
  portkey,
]

const connections = 64
const warmUpTurns = 10
const turns = 20
/** Sequential requests, as on a busy connection. */
const requestsInTurn = 50

// Debian installs nginx outside of the path of ordinary users.
process.env['PATH'] += ':/usr/sbin'

/** The gateways that can run on this system, and a line about each of the others. */
export function gatewaysHere(compared: readonly Gateway[] = allGateways) {
  const gateways: Gateway[] = []
  const missing: string[] = []
  for (const gateway of compared) {
    const { label, needs } = gateway
    if (!needs || runs(needs)) gateways.push(gateway)
    else missing.push(`NO ROW for "${label}": it needs Linux and ${needs[0]}`)
  }
  return { gateways, missing }
}

function runs([program, ...options]: readonly [string, ...string[]]): boolean {
  return process.platform === 'linux' && spawnSync(program, options).status === 0
}

export function wholeLoad(requests: number): Load {
  return { connections, requests, warmUp: Math.min(20_000, 5 * requests), allKeys: true }
}

/** Fewer requests, because each takes much longer. */
export function streamedLoad(requests: number): Load {
  return {
    connections,
    requests: Math.max(connections, requests / 8),
    warmUp: Math.min(2_000, requests),
    slice: 500,
    streamed: true,
    allKeys: true,
  }
}

/** Starts all gateways in front of one upstream, and loads them in turns. */
export async function measureRound(
  gateways: readonly Gateway[],
  requests: number,
): Promise<ReadonlyMap<string, Figures>> {
  return withSubjects(gateways, async (subjects, upstream) => {
    const samples = await loadInTurns(subjects, wholeLoad(requests))
    const withOneKey = await loadInTurns(subjects, {
      connections,
      requests: Math.max(connections, requests / 2),
      warmUp: Math.min(2_000, requests),
    })
    const streamed = await loadInTurns(subjects, streamedLoad(requests))
    const added = await timeAdded(upstream, subjects, 'whole')
    const addedToFirst = await timeAdded(upstream, subjects, 'first piece')
    return new Map(
      gateways.map(({ name }) => {
        const sample = samples.get(name) as Sample
        const inPieces = streamed.get(name) as Sample
        const figures = {
          ...sample,
          oneKeyRequestsPerCpuSecond: withOneKey.get(name)?.requestsPerCpuSecond ?? NaN,
          failed: sample.failed + inPieces.failed,
          addedMs: added(name),
          addedToFirstPieceMs: addedToFirst(name),
          microsecondsPerPiece: 1e6 / inPieces.requestsPerCpuSecond / pieces.length,
        }
        return [name, figures]
      }),
    )
  })
}

/** The resident memory of each gateway, in megabytes, after so many requests to a fresh process. */
export async function measureMemory(gateways: readonly Gateway[], requests: number) {
  return withSubjects(gateways, async (subjects) => {
    const samples = await loadInTurns(subjects, { connections, requests, warmUp: 0, allKeys: true })
    return new Map([...samples].map(([name, { residentMegabytes }]) => [name, residentMegabytes]))
  })
}

/** Starts gateways in front of one upstream for some work. */
export async function withSubjects<Result>(
  gateways: readonly Omit<Gateway, 'label'>[],
  measure: (subjects: readonly Subject[], upstream: Subject) => Promise<Result>,
  upstreamServer = 'upstream',
): Promise<Result> {
  const upstream = await startSubject(upstreamServer)
  const subjects: Subject[] = []
  try {
    for (const { name, server, syncMs, checkout } of gateways) {
      subjects.push(await startSubject(server, { UPSTREAM_URL: upstream.url }, { name, syncMs, checkout }))
    }
    return await measure(subjects, upstream)
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
  return (name: string) => medianTime(name) - medianTime(upstream.name)
}
