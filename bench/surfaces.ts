// bench/surfaces.ts [turns] [requests]: the CPU time of POST /generate compared with the same request over the OpenAI
// surface. One process answers them in turns, so that other work on the machine affects all of them equally.
import { median } from './median.ts'
import { startSubject, type Target } from './subject.ts'

const [turns = 24, requests = 1_000] = process.argv.slice(2).map(Number)
const connections = 16
/** Requests to each target. After fewer, much of the JIT compiler's work would be measured. */
const warmUp = 20_000

const prompt = 'Say hello to Ada Lovelace.'
const settings = { model: 'instant', max_tokens: 100, temperature: 0.7 }
const conversation = { ...settings, messages: [{ role: 'user', content: prompt }] }

const targets = {
  prompt: target('/generate', { ...settings, prompt }),
  messages: target('/generate', conversation),
  openai: target('/v1/chat/completions', conversation),
}
type Name = keyof typeof targets
const names = Object.keys(targets) as Name[]

const service = await startSubject('fairlead')
const samples: Record<Name, number[]> = { prompt: [], messages: [], openai: [] }
for (const name of names) await service.load({ connections, requests: warmUp, target: targets[name] })
for (let turn = 0; turn < turns; turn++) {
  // Each turn begins with another target: one pays for garbage that the one before it left.
  const first = turn % names.length
  for (const name of [...names.slice(first), ...names.slice(0, first)]) {
    samples[name].push(await cpuMicros(targets[name]))
  }
}
service.stop()

for (const name of names) console.log(`${name.padEnd(8)}  ${Math.round(median(samples[name]))} µs of CPU per request`)
for (const other of ['prompt', 'messages'] as const) {
  const ratios = samples.openai.map((micros, turn) => micros / (samples[other][turn] ?? NaN))
  console.log(`POST /v1/chat/completions: ${median(ratios).toFixed(2)} of POST /generate with ${other}`)
}

/** Of one request. */
async function cpuMicros(sent: Target): Promise<number> {
  const before = await service.usage()
  const { non2xx, errors } = await service.load({ connections, requests, target: sent })
  const after = await service.usage()
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests to ${sent.path} failed`)
  return (after.cpuMicros - before.cpuMicros) / requests
}

function target(path: string, body: object): Target {
  return { path, body: JSON.stringify(body) }
}
