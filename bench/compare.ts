import { type Load, startSubject, type Subject } from './subject.ts'
import { median } from './median.ts'

/** The measurements of one server in one round. */
export interface Sample {
  readonly requestsPerCpuSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly residentMegabytes: number
  readonly failed: number
}

type Compared = ReadonlyMap<string, Sample>

/** Requests before a measurement. After only 5,000, a third of the JIT compiler's work would still be measured. */
const defaultWarmUp = 20_000
/** Requests per slice. Shorter slices would measure mostly the start of a load after a pause. */
const sliceRequests = 4_000

/** Compares servers in rounds with fresh processes. Prints each round and the medians, with a row for each server. */
export async function compareInRounds(
  names: readonly string[],
  load: Load,
  { rounds, row }: { readonly rounds: number; row(name: string, sample: Sample): string },
): Promise<Compared> {
  const samples = new Map<string, Sample[]>(names.map((name) => [name, []]))
  for (let round = 1; round <= rounds; round++) {
    for (const [name, sample] of await compare(names, load)) {
      samples.get(name)?.push(sample)
      console.log(`round ${round}  ${row(name, sample)}`)
    }
  }
  console.log(`\nmedians of ${rounds} rounds, ${load.requests} requests each, ${load.connections} connections`)
  const medians = new Map([...samples].map(([name, all]) => [name, medianOf(all)]))
  for (const [name, sample] of medians) console.log(row(name, sample))
  return medians
}

/** The ratio of the requests that two servers handle per CPU-second. */
export function formatRatio(compared: Compared, name: string, other: string): string {
  const served = (one: string) => compared.get(one)?.requestsPerCpuSecond ?? NaN
  return (served(name) / served(other)).toFixed(2)
}

/** Starts servers and sends them the same load. */
async function compare(names: readonly string[], load: Load): Promise<Compared> {
  const subjects = await Promise.all(names.map((name) => startSubject(name)))
  try {
    return await loadInTurns(subjects, load)
  } finally {
    for (const subject of subjects) subject.stop()
  }
}

/** The measurements of servers that take turns with slices of a load. */
export async function loadInTurns(subjects: readonly Subject[], load: Load): Promise<Compared> {
  return new Map([...(await takeTurns(subjects, load))].map(([name, taken]) => [name, sampleOf(taken)]))
}

/** Servers take turns with slices of their load, so that other work on the machine affects all of them equally. */
export async function takeTurns(
  subjects: readonly Subject[],
  load: Load,
): Promise<ReadonlyMap<string, readonly Slice[]>> {
  const { warmUp = defaultWarmUp, slice = sliceRequests } = load
  if (warmUp > 0) for (const subject of subjects) await subject.load({ ...load, requests: warmUp })
  const slices = new Map<string, Slice[]>(subjects.map(({ name }) => [name, []]))
  for (let sent = 0; sent < load.requests; sent += slice) {
    const requests = Math.min(slice, load.requests - sent)
    for (const subject of subjects) slices.get(subject.name)?.push(await take(subject, { ...load, requests }))
  }
  return slices
}

/** A part of the load of a server. */
export interface Slice extends Omit<Sample, 'requestsPerCpuSecond'> {
  readonly requests: number
  readonly cpuSeconds: number
  /** Absent if the server has no event loop. */
  readonly longestDelayMs: number | undefined
}

async function take(subject: Subject, load: Load): Promise<Slice> {
  const before = await subject.usage()
  const { latency, non2xx, errors } = await subject.load(load)
  const after = await subject.usage()
  return {
    requests: load.requests,
    cpuSeconds: (after.cpuMicros - before.cpuMicros) / 1e6,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    residentMegabytes: after.residentBytes / 1e6,
    failed: non2xx + errors,
    longestDelayMs: after.longestDelayMs,
  }
}

function sampleOf(slices: readonly Slice[]): Sample {
  const sum = (pick: (slice: Slice) => number) => slices.reduce((total, slice) => total + pick(slice), 0)
  return {
    requestsPerCpuSecond: sum(({ requests }) => requests) / sum(({ cpuSeconds }) => cpuSeconds),
    p50Ms: median(slices.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(slices.map(({ p99Ms }) => p99Ms)),
    residentMegabytes: slices.at(-1)?.residentMegabytes ?? 0,
    failed: sum(({ failed }) => failed),
  }
}

function medianOf(all: readonly Sample[]): Sample {
  const of = (pick: (sample: Sample) => number) => median(all.map(pick))
  return {
    requestsPerCpuSecond: of((sample) => sample.requestsPerCpuSecond),
    p50Ms: of((sample) => sample.p50Ms),
    p99Ms: of((sample) => sample.p99Ms),
    residentMegabytes: of((sample) => sample.residentMegabytes),
    failed: all.reduce((total, { failed }) => total + failed, 0),
  }
}
