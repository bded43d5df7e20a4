// npm run bench:gateway -- [rounds] [requests] [requests before memory is measured]: a text from an upstream that responds
// at once, through Fairlead, nginx, a pass-through proxy, and Portkey. Medians of rounds with fresh processes.
// Prints a Markdown table, and writes it to docs/performance.md with its chart, docs/gateway-benchmark.svg.
import { gatewaysHere, measureMemory, measureRound, type Figures } from './gateway-rounds.ts'
import { reportOf, writeReport } from './gateway-report.ts'
import { median } from './median.ts'

const [rounds = 5, requests = 10_000, memoryRequests = 100_000] = process.argv.slice(2).map(Number)

const { gateways, missing } = gatewaysHere()
for (const line of missing) console.warn(line)

const measured: ReadonlyMap<string, Figures>[] = []
for (let round = 1; round <= rounds; round++) {
  const found = await measureRound(gateways, requests)
  measured.push(found)
  for (const [name, figures] of found) console.log(`round ${round}  ${row(name, figures)}`)
}
const memory = await measureMemory(gateways, memoryRequests)
const of = (name: string, field: keyof Figures) => median(measured.map((round) => round.get(name)?.[field] ?? NaN))

const report = reportOf({ rounds, requests, memoryRequests }, gateways, { of, memory })
writeReport(report)
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
