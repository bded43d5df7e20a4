// npm run bench:tenants -- [requests per model]: how long one account waits for each embedded model while another
// floods it, fails, and hangs on 64 connections. Fails if the 99th percentile exceeds twice the quiet value plus 100 ms.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import type { Tenants } from './servers/tenants.ts'
import { ownMemory } from './own-memory.ts'

const [perModel = 60] = process.argv.slice(2).map(Number)
const execArgv = ['--conditions=@fairlead/source']
/** The burst limit of each account: ten requests per second. */
const everyMs = 110
/** The attacker's first burst is in the queues after this time. */
const headStartMs = 500

const text = 'Maria Lopez was delighted when Acme Ltd opened its new office in Paris on 3 May 2024. It cost $2 million.'
const requests: Readonly<Record<string, readonly [path: string, body: object]>> = {
  scribe: ['/generate', { model: 'scribe', prompt: 'a haiku about rain' }],
  mirror: ['/generate', { model: 'mirror', prompt: 'Hello there, mirror!' }],
  vista: ['/generate/image', { model: 'vista', prompt: 'a lake', size: '256x256' }],
  motif: ['/generate/image', { model: 'motif', prompt: 'a pattern', size: '256x256' }],
  analysis: ['/analyze', { text, tasks: ['sentiment', 'entities', 'keywords'] }],
}

const server = fork(fileURLToPath(new URL('servers/tenants.ts', import.meta.url)), {
  execArgv: [...execArgv, ...ownMemory],
})
const [{ url, keys }] = (await once(server, 'message')) as [Tenants]
const dispatcher = new Agent()

await measure(5)
const quiet = await measure(perModel)
console.log(
  'quiet done',
  Object.fromEntries(Object.entries(quiet).map(([m, t]) => [m, t.map((x) => Math.round(x)).join(' ')])),
)
const attacker = fork(fileURLToPath(new URL('attacker.ts', import.meta.url)), [url, keys.hostile], { execArgv })
await pause(headStartMs)
const attacked = await measure(perModel)
attacker.send('statuses')
const [statuses] = await once(attacker, 'message')
attacker.disconnect()
server.disconnect()

console.log('p99 in ms, quiet and under attack; at most 2 x quiet + 100 ms')
for (const model of Object.keys(requests)) {
  const [before, during] = [p99(quiet[model]), p99(attacked[model])]
  const bound = 2 * before + 100
  if (during > bound) process.exitCode = 1
  console.log(
    `${model.padEnd(9)} ${before.toFixed(1).padStart(7)} ${during.toFixed(1).padStart(8)}   x ${(during / before).toFixed(1)}` +
      `   ${during <= bound ? 'within' : 'above'} ${bound.toFixed(0)}`,
  )
}
console.log('what the attacker was answered:', statuses)
await dispatcher.close()

/** Sends sequential requests, with the models in turns. Any failure ends the benchmark. */
async function measure(count: number): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = {}
  for (let n = 0; n < count; n++) {
    for (const [model, [path, body]] of Object.entries(requests)) {
      const startedAt = performance.now()
      const reply = await request(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${keys.other}` },
        body: JSON.stringify(body),
        dispatcher,
      })
      const answer = await reply.body.text()
      const tookMs = performance.now() - startedAt
      if (reply.statusCode !== 200) throw new Error(`${model}: ${reply.statusCode} ${answer}`)
      ;(times[model] ??= []).push(tookMs)
      await pause(Math.max(0, everyMs - tookMs))
    }
  }
  return times
}

function p99(times: readonly number[] = []): number {
  return times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] ?? 0
}
