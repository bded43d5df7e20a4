// npm run bench:agents -- [rounds] [kilobytes]: turns of coding agents, which send the whole conversation and their tools each
// time, through a pass-through proxy, Fairlead, and Portkey. Medians of alternating slices in rounds with fresh processes.
// Prints a Markdown table. Without a size, it measures several, and writes the table to docs/performance.md.
import { agentTurn } from './agent-turns.ts'
import { type Slice, takeTurns } from './compare.ts'
import { type Gateway, passThrough, portkey, withSubjects } from './gateway-rounds.ts'
import { median } from './median.ts'
import type { Subject, Target } from './subject.ts'
import { describeMachine, markdownTable, whole, writeReport } from './write-report.ts'

const [rounds = 3, given] = process.argv.slice(2).map(Number)
const sizes = given === undefined ? [30, 460, 2_000] : [given]

const connections = 8
const slices = 3
/** Requests of a slice together, in kilobytes. */
const sliceKilobytes = 60_000

const fairlead = { name: 'fairlead', label: 'Fairlead', server: 'fairlead-agents' }
const portkeyToAnthropic = { ...portkey, name: 'portkey to anthropic', server: 'portkey-anthropic' }
const gateways: readonly Gateway[] = [passThrough, fairlead, portkey, portkeyToAnthropic]

interface Form {
  readonly label: string
  readonly gateways: readonly Gateway[]
  readonly streamed?: boolean
  target(gateway: Gateway, kilobytes: number): Target
}

const chatPath = (gateway: Gateway) => (gateway === fairlead ? '/openai/v1/chat/completions' : '/v1/chat/completions')
const chat = (gateway: Gateway, kilobytes: number, more: object = {}) => {
  return { path: chatPath(gateway), body: JSON.stringify({ ...agentTurn(kilobytes).chat, ...more }) }
}
const claude = { model: 'claude-agent' }

const forms: readonly Form[] = [
  { label: "OpenAI's chat form", gateways: [passThrough, fairlead, portkey], target: chat },
  {
    label: "OpenAI's chat form, streamed",
    gateways: [passThrough, fairlead, portkey],
    target: (gateway, kilobytes) => chat(gateway, kilobytes, { stream: true }),
  },
  {
    label: "OpenAI's chat form, translated to Anthropic's",
    gateways: [passThrough, fairlead, portkeyToAnthropic],
    target: (gateway, kilobytes) => chat(gateway, kilobytes, claude),
  },
  {
    label: "Anthropic's form",
    gateways: [passThrough, fairlead],
    target: (gateway, kilobytes) => ({
      path: gateway === fairlead ? '/anthropic/v1/messages' : '/v1/messages',
      body: JSON.stringify({ ...agentTurn(kilobytes).messages, ...claude }),
    }),
  },
]

/** The slices of all rounds, by size, form, and gateway. */
const measured = new Map<string, Slice[]>()
const nameRow = (kilobytes: number, form: Form, gateway: Gateway) => `${kilobytes} kB, ${form.label}: ${gateway.name}`

for (let round = 1; round <= rounds; round++) {
  await withSubjects(gateways, (subjects) => measureRound(round, subjects), 'agent-upstream')
}
const report = createReport()
console.log(`\n${report}`)
if (given === undefined) writeReport('bench:agents', report)

async function measureRound(round: number, subjects: readonly Subject[]): Promise<void> {
  for (const kilobytes of sizes) {
    const requests = Math.max(connections, Math.min(1_000, Math.round(sliceKilobytes / kilobytes)))
    for (const form of forms) {
      const taking = form.gateways.map((gateway) => {
        const subject = subjects.find(({ name }) => name === gateway.name)!
        return withTarget(subject, form.target(gateway, kilobytes))
      })
      const load = { connections, requests: slices * requests, slice: requests, warmUp: requests }
      const taken = await takeTurns(taking, load)
      for (const gateway of form.gateways) {
        const own = taken.get(gateway.name) ?? []
        const key = nameRow(kilobytes, form, gateway)
        measured.set(key, [...(measured.get(key) ?? []), ...own])
        console.log(`round ${round}  ${key}  ${median(own.map(cpuMs)).toFixed(2)} ms of CPU`)
      }
    }
  }
}

/** A server whose loads send one request. */
function withTarget(subject: Subject, target: Target): Subject {
  return { ...subject, load: (load) => subject.load({ ...load, target }) }
}

/** Of a turn. */
function cpuMs({ requests, cpuSeconds, failed }: Slice): number {
  if (failed > 0) throw new Error(`${failed} of ${requests} turns failed`)
  return (cpuSeconds * 1e3) / requests
}

function createReport(): string {
  const rows = sizes.flatMap((kilobytes) =>
    forms.flatMap((form) => {
      const findSlices = (gateway: Gateway) => measured.get(nameRow(kilobytes, form, gateway)) ?? []
      const cpu = (gateway: Gateway) => median(findSlices(gateway).map(cpuMs))
      const other = form.gateways[2]
      return form.gateways.map((gateway) => {
        const own = findSlices(gateway)
        return [
          `${whole(kilobytes)} kB, ${form.label}`,
          gateway.label.split(':')[0]!,
          `${cpu(gateway).toFixed(2)} ms`,
          (cpu(gateway) / cpu(passThrough)).toFixed(2),
          other === undefined ? '–' : (cpu(gateway) / cpu(other)).toFixed(2),
          `${whole(median(own.map(({ p50Ms }) => p50Ms)))} ms`,
          `${whole(Math.max(...own.map(({ longestDelayMs = NaN }) => longestDelayMs)))} ms`,
        ]
      })
    }),
  )
  const head = ['turn', 'gateway', 'CPU', "of the pass-through's", "of Portkey's", 'p50', 'longest event loop delay']
  const table = markdownTable(head, rows)
  return `${table}\n\n${describeMachine()}: ${connections} connections, medians of ${rounds * slices} alternating slices in ${rounds} rounds.`
}
