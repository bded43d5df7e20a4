// npm run bench:gateway -- [rounds] [requests] [requests before memory is measured] [--also folder]: a text from an upstream
// that responds at once, through Fairlead, nginx, a pass-through proxy, and Portkey. Medians of rounds with fresh processes.
// Prints a Markdown table, and writes it to docs/performance.md with its chart, docs/gateway-benchmark.svg.
// --also measures another checkout, whose packages are installed, as a further row; then nothing is written.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gatewaysHere, measureMemory, measureRound, type Figures } from './gateway-rounds.ts'
import { createReport, writeGatewayReport } from './gateway-report.ts'
import { median } from './median.ts'

const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { also: { type: 'string' } } })
const [rounds = 5, requests = 10_000, memoryRequests = 100_000] = positionals.map(Number)

const { gateways, missing } = gatewaysHere()
if (options.also !== undefined) {
  const checkout = resolve(options.also)
  gateways.push({ name: options.also, label: `Fairlead in ${options.also}`, server: 'fairlead-gateway', checkout })
}
for (const line of missing) console.warn(line)

const measured: ReadonlyMap<string, Figures>[] = []
for (let round = 1; round <= rounds; round++) {
  const found = await measureRound(gateways, requests)
  measured.push(found)
  for (const [name, figures] of found) console.log(`round ${round}  ${row(name, figures)}`)
}
const memory = await measureMemory(gateways, memoryRequests)
const of = (name: string, field: keyof Figures) => median(measured.map((round) => round.get(name)?.[field] ?? NaN))

const report = createReport({ rounds, requests, memoryRequests }, gateways, { of, memory })
if (options.also === undefined) writeGatewayReport(report)
console.log(`\n${report.text}`)
for (const line of missing) console.warn(line)

function row(name: string, figures: Figures): string {
  return [
    name.padEnd(20),
    `${Math.round(figures.requestsPerCpuSecond)} requests/CPU-s`.padStart(22),
    `p50 ${figures.p50Ms} ms`.padStart(12),
    `added ${figures.addedMs.toFixed(2)} ms`.padStart(16),
    `first piece ${figures.addedToFirstPieceMs.toFixed(2)} ms`.padStart(22),
    `${figures.microsecondsPerPiece.toFixed(1)} µs a piece`.padStart(18),
    figures.failed > 0 ? `${figures.failed} FAILED` : '',
  ].join('  ')
}
