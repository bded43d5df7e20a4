import { writeFileSync } from 'node:fs'
import { barChart } from './bar-chart.ts'
import type { Figures, Gateway } from './gateway-rounds.ts'
import { describeMachine, markdownTable, whole, writeReport } from './write-report.ts'

/** The arguments of a run. */
export interface Run {
  readonly rounds: number
  readonly requests: number
  readonly memoryRequests: number
}

export interface Results {
  /** The median of a figure of a gateway. */
  of(name: string, field: keyof Figures): number
  /** Resident memory in megabytes. */
  readonly memory: ReadonlyMap<string, number>
}

export interface Report {
  /** Markdown. */
  readonly text: string
  /** SVG. */
  readonly chart: string
}

export function createReport(run: Run, gateways: readonly Gateway[], { of, memory }: Results): Report {
  const bars = gateways.map(({ name, label }) => ({
    label: label.split(':')[0]!,
    value: of(name, 'requestsPerCpuSecond'),
  }))
  const columns: Readonly<Record<string, (name: string) => string>> = {
    'requests per CPU-second': (name) => whole(of(name, 'requestsPerCpuSecond')),
    'with one key': (name) => whole(of(name, 'oneKeyRequestsPerCpuSecond')),
    'p50 under load': (name) => `${whole(of(name, 'p50Ms'))} ms`,
    'added latency': (name) => `${of(name, 'addedMs').toFixed(2)} ms`,
    'added to the first piece': (name) => `${of(name, 'addedToFirstPieceMs').toFixed(2)} ms`,
    'CPU time per piece': (name) => `${of(name, 'microsecondsPerPiece').toFixed(1)} µs`,
    memory: (name) => `${whole(memory.get(name) ?? NaN)} MB`,
  }
  const rows = gateways.map(({ name, label }) => [label, ...Object.values(columns).map((cell) => cell(name))])
  const ratio = (field: keyof Figures, to: string) => (of('fairlead', field) / of(to, field)).toFixed(2)
  return {
    chart: barChart('Requests per CPU-second', bars),
    text: [
      `![Requests per CPU-second: ${bars.map(({ label, value }) => `${label} ${whole(value)}`).join('; ')}](gateway-benchmark.svg)`,
      markdownTable(['gateway', ...Object.keys(columns)], rows),
      `Fairlead handles ${ratio('requestsPerCpuSecond', 'portkey')} times as many requests per CPU-second as Portkey, ` +
        `${ratio('oneKeyRequestsPerCpuSecond', 'portkey')} times as many with one key, ` +
        `and ${ratio('requestsPerCpuSecond', 'pass-through')} times as many as the pass-through. ` +
        `It adds ${ratio('addedMs', 'portkey')} times Portkey's latency, ` +
        `and a streamed piece takes ${ratio('microsecondsPerPiece', 'portkey')} times Portkey's CPU time.`,
      `${describeMachine()}: medians of ${run.rounds} rounds of ${whole(run.requests)} requests; ` +
        `memory of new processes after ${whole(run.memoryRequests)} requests.`,
    ].join('\n\n'),
  }
}

/** Replaces the chart and the table. */
export function writeGatewayReport({ text, chart }: Report): void {
  writeFileSync(new URL('../docs/gateway-benchmark.svg', import.meta.url), chart)
  writeReport('bench:gateway', text)
}
