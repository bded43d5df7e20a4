// bench/surfaces.ts [rounds] [requests] [warm-up]: POST /generate compared with the same request over the OpenAI surface, in turns
// on the same process.
import { loadInTurns } from './compare.ts'
import { median } from './median.ts'
import { startSubject, type Subject, type Target } from './subject.ts'

const [rounds = 6, requests = 20_000, warmUp = 10_000] = process.argv.slice(2).map(Number)

const prompt = 'Say hello to Ada Lovelace.'
const settings = { model: 'instant', max_tokens: 100, temperature: 0.7 }
const conversation = { ...settings, messages: [{ role: 'user', content: prompt }] }

const targets = new Map<string, Target>([
  ['prompt', { path: '/generate', body: JSON.stringify({ ...settings, prompt }) }],
  ['messages', { path: '/generate', body: JSON.stringify(conversation) }],
  ['openai', { path: '/v1/chat/completions', body: JSON.stringify(conversation) }],
])

const ratios = { prompt: [] as number[], messages: [] as number[] }
for (let round = 1; round <= rounds; round++) {
  const service = await startSubject('fairlead')
  const compared = await loadInTurns(
    inOrder(round).map(([name, target]) => over(service, name, target)),
    { connections: 64, requests, warmUp },
  )
  service.stop()
  const cost = (name: string) => 1 / (compared.get(name)?.requestsPerCpuSecond ?? NaN)
  const failed = [...compared.values()].reduce((sum, sample) => sum + sample.failed, 0)
  if (failed > 0) throw new Error(`${failed} requests failed`)
  for (const name of ['prompt', 'messages'] as const) ratios[name].push(cost('openai') / cost(name))
  const micros = [...targets.keys()].map((name) => `${name} ${Math.round(cost(name) * 1e6)} µs`).join('  ')
  console.log(`round ${round}  CPU per request: ${micros}`)
}
console.log(
  `POST /v1/chat/completions uses ${median(ratios.prompt).toFixed(2)} of the CPU time of POST /generate with a prompt, and ${median(ratios.messages).toFixed(2)} of that with messages`,
)

/** Each round in another order: a slice pays for garbage that the one before it left. */
function inOrder(round: number): readonly (readonly [string, Target])[] {
  const all = [...targets]
  return [...all.slice(round % all.length), ...all.slice(0, round % all.length)]
}

function over(service: Subject, name: string, target: Target): Subject {
  return { ...service, name, load: (load) => service.load({ ...load, target }) }
}
