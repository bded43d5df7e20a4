// The service in a separate process, counted by bench/counts.ts, which passes the flags for V8 and the number of
// requests.
import { createHook } from 'node:async_hooks'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '@fairlead/server/config'
import { logDestination } from '@fairlead/server/logging'
import { start } from '@fairlead/server/start'
import { agentTurn } from '../agent-turns.ts'
import { combine, type Count, countBy, type Counts } from '../counts.ts'
import { median } from '../median.ts'
import { wireShipment } from '../wire-shipment.ts'
import type { Sending } from './outside.ts'
import { chatCompletion, generate } from './report-usage.ts'
import { upstreamProvider } from './upstream-provider.ts'

type Subject = Omit<Sending, 'count' | 'headers'>

const requests = Number(process.argv[2])
/** Until caches are filled. */
const warmUp = 2 * requests
/** A piece is the difference between two streams, divided by the difference in their pieces. */
const shortStream = 10
const longStream = 50
const chatPath = chatCompletion().path

const created = { promises: 0, timers: 0, AbortControllers: 0 }
const hook = createHook({
  init(_id, type) {
    if (type === 'PROMISE') created.promises++
    else if (type === 'Timeout') created.timers++
  },
})
globalThis.AbortController = class extends AbortController {
  constructor() {
    super()
    created.AbortControllers++
  }
}

const outside = fork(fileURLToPath(new URL('outside.ts', import.meta.url)), { execArgv: [] })
outside.once('exit', (code) => code && process.exit(code))
const [upstreamPort] = (await once(outside, 'message')) as [number]
const directory = mkdtempSync(join(tmpdir(), 'fairlead-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
process.on('disconnect', () => process.exit(0))
const service = await start(readConfig({ PORT: '0', FAIRLEAD_DATA_DIR: directory }), {
  service: { name: 'Fairlead', version: 'bench' },
  logTo: logDestination(join(directory, 'requests.log')),
  // They run now and then, beside the requests.
  jobs: false,
  loadProviders: async () => [upstreamProvider(`http://127.0.0.1:${upstreamPort}`)],
})
const { headers: key, body: prompt } = generate(service.firstAdmin?.apiKey)

const whole = post('/generate', prompt)
/** The cost of telling the client to send, which is not the request's. */
const nothing = await measure(whole, 0)
const counts: Counts = {
  'POST /generate': await countRequest(whole),
  'POST /generate, streamed in 10 pieces': await countRequest(stream('dripping', shortStream)),
  'each streamed piece': await countOfPiece(stream, 'dripping'),
  'each streamed piece of several': await countOfPiece(stream, 'instant'),
  'opening a stream of chat completions': await countRequest(chatStream('dripping', 1)),
  'each of its pieces': await countOfPiece(chatStream, 'dripping'),
  'agent turn of 460 kB': await countRequest(post(chatPath, agentTurn(460).chat)),
  'POST /shipments': await countRequest(post('/shipments', wireShipment('bench #'))),
  'GET /models': await countRequest({ url: `http://127.0.0.1:${service.port}/models`, method: 'GET' }),
}
process.send?.(counts, () => process.disconnect())

function post(path: string, body: object): Subject {
  return { url: `http://127.0.0.1:${service.port}${path}`, method: 'POST', body: JSON.stringify(body) }
}

/** @param model `dripping` if each piece arrives by itself, and `instant` if all arrive together */
function stream(model: string, pieces: number): Subject {
  return post('/generate', { ...prompt, model, stream: true, max_tokens: pieces })
}

function chatStream(model: string, pieces: number): Subject {
  return post(chatPath, { ...chatCompletion().body, model, stream: true, max_tokens: pieces })
}

async function countOfPiece(subject: typeof stream, model: string): Promise<Count> {
  const few = await countRequest(subject(model, shortStream))
  const many = await countRequest(subject(model, longStream))
  return combine(many, few, (more, less) => (more - less) / (longStream - shortStream))
}

/** Of one request. */
async function countRequest(subject: Subject): Promise<Count> {
  await send(subject, warmUp)
  return combine(await measure(subject, 1), nothing, (all, others) => all - others)
}

/** Of so many requests at a time. The hook allocates, so memory is measured without it. */
async function measure(subject: Subject, count: number): Promise<Count> {
  globalThis.gc?.()
  const sizes = await differences(subject, count)
  hook.enable()
  const objects = await differences(subject, count)
  hook.disable()
  // The rest is what the service does now and then, such as writing its log.
  return countBy((name) => {
    return name === 'kB' ? median(sizes.map(({ kB }) => kB)) : Math.min(...objects.map((each) => each[name]))
  })
}

async function differences(subject: Subject, count: number): Promise<readonly Count[]> {
  const found: Count[] = []
  for (let turn = 0; turn < requests; turn++) {
    const before = read()
    await send(subject, count)
    found.push(combine(read(), before, (now, then) => now - then))
  }
  return found
}

function read(): Count {
  return { kB: process.memoryUsage().heapUsed / 1e3, ...created }
}

async function send(subject: Subject, count: number): Promise<void> {
  const headers = { ...key, ...(subject.body !== undefined && { 'content-type': 'application/json' }) }
  const answered = once(outside, 'message')
  outside.send({ ...subject, headers, count } satisfies Sending)
  await answered
}
