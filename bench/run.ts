// npm run bench -- [rounds] [requests]: POST /generate compared with bare servers. Medians of rounds with fresh processes.
import { compareInRounds, formatRatio, type Sample } from './compare.ts'

const [rounds = 5, requests = 20_000] = process.argv.slice(2).map(Number)

const load = { connections: 64, requests }
const compared = await compareInRounds(['node-http', 'express', 'fairlead'], load, { rounds, row })
const ratio = (to: string) => formatRatio(compared, 'fairlead', to)
console.log(`fairlead per CPU-second: ${ratio('express')} of Express, ${ratio('node-http')} of node:http`)

function row(server: string, sample: Sample): string {
  return [
    server.padEnd(10),
    `${Math.round(sample.requestsPerCpuSecond)} requests/CPU-s`.padStart(22),
    `p50 ${sample.p50Ms} ms`.padStart(12),
    `p99 ${sample.p99Ms} ms`.padStart(12),
    `${Math.round(sample.residentMegabytes)} MB`.padStart(8),
    sample.failed > 0 ? `${sample.failed} FAILED` : '',
  ].join('  ')
}
