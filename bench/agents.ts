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

const fairlead = { name: 'fairlead', label: 'Fairlead', server: 'fairlead-chat' }
const portkeyToAnthropic = { ...portkey, name: 'portkey to anthropic', server: 'portkey-anthropic' }
const gateways: readonly Gateway[] = [passThrough, fairlead, portkey, portkeyToAnthropic]

interface Form {
  readonly label: string
  /** The pass-through, Fairlead, and Portkey. */
  readonly gateways: readonly Gateway[]
  target(kilobytes: number): Target
}

const chat = (kilobytes: number, more: object = {}) => {
  return { path: '/v1/chat/completions', body: JSON.stringify({ ...agentTurn(kilobytes).chat, ...more }) }
}
const claude = { model: 'claude' }

const forms: readonly Form[] = [
  { label: "OpenAI's chat form", gateways: [passThrough, fairlead, portkey], target: chat },
  {
    label: "OpenAI's chat form, streamed",
    gateways: [passThrough, fairlead, portkey],
    target: (kilobytes) => chat(kilobytes, { stream: true }),
  },
  {
    label: "OpenAI's chat form, to another server that has it",
    gateways: [passThrough, fairlead, portkey],
    target: (kilobytes) => chat(kilobytes, { model: 'other' }),
  },
  {
    label: "OpenAI's chat form, translated to Anthropic's",
    gateways: [passThrough, fairlead, portkeyToAnthropic],
    target: (kilobytes) => chat(kilobytes, claude),
  },
  {
    label: "Anthropic's form",
    gateways: [passThrough, fairlead],
    target: (kilobytes) => ({
      path: '/v1/messages',
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
      const asked = form.gateways.map(({ name }) => subjects.find((subject) => subject.name === name)!)
      const load = { connections, requests: slices * requests, slice: requests, warmUp: requests }
      const taken = await takeTurns(asked, { ...load, target: form.target(kilobytes) })
      for (const gateway of form.gateways) {
        const own = taken.get(gateway.name) ?? []
        const key = nameRow(kilobytes, form, gateway)
        measured.set(key, [...(measured.get(key) ?? []), ...own])
        console.log(`round ${round}  ${key}  ${median(own.map(cpuMs)).toFixed(2)} ms of CPU`)
      }
    }
  }
}

/** Of a turn. */
function cpuMs({ requests, cpuSeconds, failed }: Slice): number {
  if (failed > 0) throw new Error(`${failed} of ${requests} turns failed`)
  return (cpuSeconds * 1e3) / requests
}

/** A row for each turn, in which Portkey lacks Anthropic's form. */
function createReport(): string {
  const rows = sizes.flatMap((kilobytes) =>
    forms.map((form) => {
      const [through, own, other] = form.gateways.map((gateway) =>
        summarize(measured.get(nameRow(kilobytes, form, gateway)) ?? []),
      )
      const ratio = (to = NaN) => (own!.cpu / to).toFixed(2)
      const ms = (value = NaN, digits = 0) => (Number.isNaN(value) ? '–' : `${value.toFixed(digits)} ms`)
      return [
        `${whole(kilobytes)} kB, ${form.label}`,
        ...[through, own, other].map((sample) => ms(sample?.cpu, 2)),
        ratio(through?.cpu),
        other ? ratio(other.cpu) : '–',
        ...[through, own, other].map((sample) => ms(sample?.p50Ms)),
        ...[own, other].map((sample) => ms(sample?.longestDelayMs)),
      ]
    }),
  )
  const head = [
    'turn',
    'CPU, pass-through',
    'Fairlead',
    'Portkey',
    'Fairlead to pass-through',
    'to Portkey',
    'p50, pass-through',
    'Fairlead',
    'Portkey',
    'longest event loop delay, Fairlead',
    'Portkey',
  ]
  const how = `${connections} connections, medians of ${rounds * slices} alternating slices in ${rounds} rounds`
  return `${markdownTable(head, rows)}\n\n${describeMachine()}: ${how}.`
}

function summarize(taken: readonly Slice[]) {
  return {
    cpu: median(taken.map(cpuMs)),
    p50Ms: median(taken.map(({ p50Ms }) => p50Ms)),
    longestDelayMs: Math.max(...taken.map(({ longestDelayMs = NaN }) => longestDelayMs)),
  }
}
