// node --conditions=@fairlead/source bench/graphql.ts [rounds] [requests]: a list of ten models over GraphQL, compared
// with stock yoga in Express with the same schema. Medians of rounds with fresh processes.
import { compareInRounds, formatRatio, type Sample } from './compare.ts'

const [rounds = 5, requests = 10_000] = process.argv.slice(2).map(Number)
const servers = ['graphql-yoga', 'graphql-yoga-core', 'graphql-fairlead']
const query =
  '{ models { id name type description maxTokens pricing { input output } provider capabilities { streaming seed sizes } } }'

const load = { connections: 16, requests, target: { path: '/graphql', body: JSON.stringify({ query }) } }
const compared = await compareInRounds(servers, load, { rounds, row })
const ratio = (to: string) => formatRatio(compared, 'graphql-fairlead', to)
console.log(
  `per CPU-second: ${ratio('graphql-yoga-core')} times yoga over the same operations, ` +
    `${ratio('graphql-yoga')} times yoga with nothing behind it`,
)

function row(server: string, { requestsPerCpuSecond, p50Ms, failed }: Sample): string {
  return [
    server.padEnd(18),
    `${Math.round(requestsPerCpuSecond)} requests/CPU-s`.padStart(20),
    `${Math.round(1e6 / requestsPerCpuSecond)} µs each`.padStart(14),
    `p50 ${p50Ms} ms`.padStart(12),
    failed > 0 ? `${failed} FAILED` : '',
  ].join('  ')
}
