import type { Gateway } from './gateway-rounds.ts'
import type { StreamLoad } from './open-streams.ts'
import { describeMachine, markdownTable, whole } from './write-report.ts'

/** The figures of one stream among many. */
export interface StreamFigures {
  /** CPU time of a whole stream. */
  readonly streamMs: number
  /** CPU time to open and end a stream, without its pieces. */
  readonly openMs: number
  /** CPU time of a piece that comes alone. */
  readonly pieceMicros: number
  /** The median time to the first piece, less the upstream's. */
  readonly firstP50Ms: number
  readonly firstP99Ms: number
  /** The resident memory that each open stream added. */
  readonly openKilobytes: number
  /** The largest resident memory while streams were open. */
  readonly openMegabytes: number
  /** Resident memory some seconds after all have ended. */
  readonly afterMegabytes: number
  /** The share of their core that the client and the upstream used while streams opened. */
  readonly loadCore: number
  readonly failed: number
}

/** A table, and the ratios that the goals name. */
export function createStreamsReport(
  { streams, pieces, everyMs, withinMs, keys }: StreamLoad,
  rounds: number,
  gateways: readonly Gateway[],
  figures: ReadonlyMap<string, StreamFigures>,
): string {
  const columns: Readonly<Record<string, (of: StreamFigures) => string>> = {
    'CPU of a stream': ({ streamMs }) => `${streamMs.toFixed(2)} ms`,
    'to open and end it': ({ openMs }) => `${openMs.toFixed(2)} ms`,
    'a piece': ({ pieceMicros }) => `${whole(pieceMicros)} µs`,
    'first piece, p50': ({ firstP50Ms }) => `${whole(firstP50Ms)} ms`,
    p99: ({ firstP99Ms }) => `${whole(firstP99Ms)} ms`,
    'memory of a stream': ({ openKilobytes }) => `${whole(openKilobytes)} kB`,
    'most memory': ({ openMegabytes }) => `${whole(openMegabytes)} MB`,
    after: ({ afterMegabytes }) => `${whole(afterMegabytes)} MB`,
    'load core': ({ loadCore }) => `${whole(100 * loadCore)}%`,
    failed: ({ failed }) => whole(failed),
  }
  const rows = gateways.map(({ name, label }) => [
    label,
    ...Object.values(columns).map((cell) => cell(figures.get(name)!)),
  ])
  const ratio = (field: keyof StreamFigures, to: string) => {
    return (figures.get('fairlead')![field] / figures.get(to)![field]).toFixed(2)
  }
  return [
    `${whole(streams)} streams of ${pieces} pieces, one every ${everyMs} ms, opened within ${withinMs} ms, ` +
      `${keys === 1 ? 'one API key' : `${keys} API keys`}:`,
    markdownTable(['gateway', ...Object.keys(columns)], rows),
    `Fairlead takes ${ratio('pieceMicros', 'pass-through')} of the pass-through's CPU time for a piece, ` +
      `${ratio('openMs', 'pass-through')} to open a stream, and ${ratio('streamMs', 'portkey')} of Portkey's for a stream.`,
    `${describeMachine()}: medians of ${rounds} rounds.`,
  ].join('\n\n')
}
