// npm run bench:counts -- [requests]: the memory that one request allocates, and the objects of Node.js that it creates, in
// the process of the service. Its HTTP provider has an upstream that responds at once. The figures hardly depend on the load
// of the machine. V8 does not optimize here, because that leaves out other allocations in each run.
import { createHook } from 'node:async_hooks'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openaiCompatible } from '@fairlead/provider-openai-compatible'
import { readConfig } from '@fairlead/server/config'
import { logDestination } from '@fairlead/server/logging'
import { start } from '@fairlead/server/start'
import { median } from './median.ts'
import { pieces } from './servers/instant-completion.ts'
import { instantProvider } from './servers/instant-provider.ts'
import { generate } from './servers/report-usage.ts'
import type { Sending } from './servers/sender.ts'
import { startSubject } from './subject.ts'
import { wireShipment } from './wire-shipment.ts'

const [requests = 100] = process.argv.slice(2).map(Number)
/** Until caches are filled. */
const warmUp = 2 * requests

type Subject = Omit<Sending, 'count' | 'headers'>

/** The types of async_hooks, and the constructor that is replaced below. */
const counted = { PROMISE: 0, Timeout: 0, Immediate: 0, TickObject: 0, AbortController: 0 }
const labels = ['promises', 'timers', 'immediates', 'ticks', 'abort controllers']
const hook = createHook({
  init(_id, type) {
    if (type in counted) counted[type as keyof typeof counted]++
  },
})
globalThis.AbortController = class extends AbortController {
  constructor() {
    super()
    counted.AbortController++
  }
}

const upstream = await startSubject('upstream')
const directory = mkdtempSync(join(tmpdir(), 'fairlead-bench-'))
const { models } = instantProvider
const service = await start(readConfig({ PORT: '0', FAIRLEAD_DATA_DIR: directory }), {
  service: { name: 'Fairlead', version: 'bench' },
  logTo: logDestination(join(directory, 'requests.log')),
  loadProviders: async () => [
    openaiCompatible({
      id: 'upstream',
      baseUrl: `${upstream.url}/v1`,
      apiKey: 'none',
      models: typeof models === 'function' ? 'fetched' : models,
    }),
  ],
})
const sender = fork(fileURLToPath(new URL('servers/sender.ts', import.meta.url)), { execArgv: [] })
sender.once('exit', (code) => code && process.exit(code))
const { headers: key, body: text } = generate(service.firstAdmin?.apiKey)

const subjects: Readonly<Record<string, Subject>> = {
  'POST /generate': post('/generate', text),
  [`POST /generate, streamed at once in ${pieces.length} pieces`]: post('/generate', { ...text, stream: true }),
  'POST /shipments': post('/shipments', wireShipment('bench #')),
  'GET /models': { url: `http://127.0.0.1:${service.port}/models`, method: 'GET' },
}
console.log(`| request | kB | ${labels.join(' | ')} |`)
console.log(`| --- | ---: |${' ---: |'.repeat(labels.length)}`)
for (const [name, subject] of Object.entries(subjects)) {
  await send(subject, warmUp)
  const kilobytes = (await bytesOf(subject)) / 1e3
  console.log(`| ${[name, kilobytes.toFixed(1), ...(await countsOf(subject))].join(' | ')} |`)
}
sender.disconnect()
upstream.stop()
await service.stop()
rmSync(directory, { recursive: true })

function post(path: string, body: object) {
  return { url: `http://127.0.0.1:${service.port}${path}`, method: 'POST', body: JSON.stringify(body) } as const
}

async function send(subject: Subject, count: number) {
  const headers = { ...key, ...(subject.body !== undefined && { 'content-type': 'application/json' }) }
  const answered = once(sender, 'message')
  sender.send({ ...subject, headers, count } satisfies Sending)
  await answered
}

/** Bytes on the heap. The median leaves out what the service does now and then, such as writing its log. */
async function bytesOf(subject: Subject): Promise<number> {
  globalThis.gc?.()
  const bytes: number[] = []
  for (let request = 0; request < requests; request++) {
    const { heapUsed } = process.memoryUsage()
    await send(subject, 1)
    bytes.push(process.memoryUsage().heapUsed - heapUsed)
  }
  return median(bytes)
}

/** In the order of `counted`. */
async function countsOf(subject: Subject): Promise<readonly number[]> {
  const found: number[][] = []
  hook.enable()
  for (let request = 0; request < requests; request++) {
    Object.assign(counted, { PROMISE: 0, Timeout: 0, Immediate: 0, TickObject: 0, AbortController: 0 })
    await send(subject, 1)
    found.push(Object.values(counted))
  }
  hook.disable()
  return labels.map((_label, index) => median(found.map((counts) => counts[index] ?? NaN)))
}
