// npm run check -- --request-path [generate|stream|shipment]: how many files and functions one request runs, for each
// request in the table below, and a list of those of one request. A provider sends the calls to a model over HTTP to
// an upstream in this process. Fails if a request exceeds a limit.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Writable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ending, pieces, whole } from '../bench/servers/instant-completion.ts'
import { wireShipment } from '../bench/wire-shipment.ts'
import { openaiCompatible } from '../packages/providers/openai-compatible/src/index.ts'
import { readConfig } from '../apps/server/src/config.ts'
import { start } from '../apps/server/src/start.ts'

/** A change may lower a limit, and may raise it only with a reason. */
const requests = {
  generate: {
    title: 'POST /generate',
    path: '/generate',
    body: () => ({ prompt: 'Hello', model: 'instant' }),
    maxFiles: 80,
    maxFunctions: 403,
  },
  stream: {
    title: 'POST /generate as a stream',
    path: '/generate',
    body: () => ({ prompt: 'Hello', model: 'instant', stream: true }),
    maxFiles: 100,
    maxFunctions: 539,
  },
  shipment: {
    title: 'POST /shipments',
    path: '/shipments',
    body: (turn: number) => wireShipment(`order-${turn}`),
    maxFiles: 60,
    maxFunctions: 245,
  },
}

/** Before these, statements are compiled and caches filled. */
const warmUpTurns = 20
/** A function counts if it runs in each turn, so that timers of the service do not count. */
const countedTurns = 5
/** Between pieces of a stream, and after an answer. */
const pauseMs = 5

const root = new URL('..', import.meta.url)

const [listed = 'generate'] = process.argv.slice(2)
if (!Object.hasOwn(requests, listed)) throw new Error(`Unknown request; use one of ${Object.keys(requests).join(', ')}`)

const upstream = createServer(async (request, response) => {
  const { stream } = (await json(request)) as { stream?: boolean }
  if (!stream) return void response.setHeader('Content-Type', 'application/json').end(whole)
  response.setHeader('Content-Type', 'text/event-stream')
  // The first two pieces arrive alone, and the others together, in every turn.
  for (const piece of pieces.slice(0, 2)) {
    response.write(piece)
    await setTimeout(pauseMs)
  }
  response.end(pieces.slice(2).join('') + ending)
})
await once(upstream.listen(0, '127.0.0.1'), 'listening')
const provider = openaiCompatible({
  id: 'upstream',
  baseUrl: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`,
  apiKey: 'none',
  models: [
    {
      id: 'instant',
      type: 'text',
      name: 'Instant',
      description: 'Answers at once.',
      maxTokens: 4_096,
      streaming: true,
      pricing: { input: 0, output: 0 },
    },
  ],
})

const folder = mkdtempSync(join(tmpdir(), 'fairlead-request-path-'))
const server = await start(readConfig({ PORT: '0', FAIRLEAD_DATA_DIR: folder }), {
  service: { name: 'Fairlead', version: '0.0.0' },
  logTo: new Writable({ write: (_chunk, _encoding, done) => done() }),
  loadProviders: async () => [provider],
  // Jobs run at other times.
  jobs: false,
})
const key = server.firstAdmin?.apiKey
const session = new Session()
session.connect()
await session.post('Profiler.enable')
// Functions that were optimized before it starts may be missing.
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

for (const [name, { title, path, body, maxFiles, maxFunctions }] of Object.entries(requests)) {
  for (let turn = 0; turn < warmUpTurns; turn++) await send(path, body(turn))
  const counted: Set<string>[] = []
  for (let turn = warmUpTurns; turn < warmUpTurns + countedTurns; turn++)
    counted.push(await runningFunctions(() => send(path, body(turn))))
  const executed = [...counted[0]!].filter((place) => counted.every((places) => places.has(place))).sort()

  const files = Map.groupBy(executed, (place) => place.split(' ', 1)[0]!)
  if (name === listed) for (const [file, places] of files) console.log(`${file} ${places.map(nameAt).join(' ')}`)
  const counts = `${files.size} files (limit ${maxFiles}), ${executed.length} functions (limit ${maxFunctions})`
  console.log(`${title}: ${counts}`)
  if (files.size > maxFiles || executed.length > maxFunctions) process.exitCode = 1
}

await server.stop()
upstream.close()
rmSync(folder, { recursive: true })

/** Each function of the repository that runs meanwhile, as the path of its file, its offset there, and its name. */
async function runningFunctions(run: () => Promise<void>): Promise<Set<string>> {
  await session.post('Profiler.takePreciseCoverage')
  await run()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return new Set(result.flatMap(executedFunctions))
}

function executedFunctions({ url, functions }: Profiler.ScriptCoverage): string[] {
  if (!url.startsWith(root.href)) return []
  const path = relative(fileURLToPath(root), fileURLToPath(url))
  if (!/^(packages|apps)\/.*\/src\//.test(path)) return []
  return functions
    .filter(isExecuted)
    .map(
      ({ functionName, ranges: [range] }) => `${path} ${String(range?.startOffset).padStart(6, '0')} ${functionName}`,
    )
}

function nameAt(place: string): string {
  return place.split(' ').slice(2).join('-') || '(anonymous)'
}

/** The function at offset 0 is the module itself, and V8 has one for the fields of a class. */
function isExecuted({ functionName, ranges: [range] }: Profiler.FunctionCoverage): boolean {
  return (
    range !== undefined && range.startOffset > 0 && range.count > 0 && functionName !== '<instance_members_initializer>'
  )
}

async function send(path: string, body: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  // The server writes its log record after the answer.
  await setTimeout(pauseMs)
}
