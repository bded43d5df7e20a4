// npm run check -- --request-path: the files with a function that one POST /generate runs, through an HTTP provider whose
// upstream listens in this process. Fails if there are more than the limit.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { openaiCompatible } from '../packages/providers/openai-compatible/src/index.ts'
import { readConfig } from '../apps/server/src/config.ts'
import { start } from '../apps/server/src/start.ts'

/** A change may lower it, and may raise it only with a reason. */
const maxFiles = 98

const root = new URL('..', import.meta.url)

const model = {
  id: 'instant',
  type: 'text',
  name: 'Instant',
  description: 'Answers at once.',
  maxTokens: 4_096,
  pricing: { input: 0, output: 0 },
} as const

const completion = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 0,
  model: 'instant',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

const upstream = createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('Content-Type', 'application/json').end(completion))
})
await once(upstream.listen(0, '127.0.0.1'), 'listening')
const provider = openaiCompatible({
  id: 'upstream',
  baseUrl: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`,
  apiKey: 'none',
  models: [model],
})

const folder = mkdtempSync(join(tmpdir(), 'fairlead-request-path-'))
const server = await start(readConfig({ PORT: '0', FAIRLEAD_DATA_DIR: folder }), {
  service: { name: 'Fairlead', version: '0.0.0' },
  logTo: new Writable({ write: (_chunk, _encoding, done) => done() }),
  loadProviders: async () => [provider],
  // They run at times of their own.
  jobs: false,
})
const key = server.firstAdmin?.apiKey
const session = new Session()
session.connect()
await session.post('Profiler.enable')
for (let request = 0; request < 3; request++) await generate()
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await generate()
const { result } = await session.post('Profiler.takePreciseCoverage')
await server.stop()
upstream.close()
rmSync(folder, { recursive: true })

const paths = result
  .filter(({ functions }) => functions.some(isExecuted))
  .map(({ url }) => (url.startsWith(root.href) ? relative(fileURLToPath(root), fileURLToPath(url)) : ''))
  .filter((path) => /^(packages|apps)\/.*\/src\//.test(path))
  .sort()
for (const path of paths) console.log(path)
console.log(`${paths.length} files; the limit is ${maxFiles}`)
if (paths.length > maxFiles) process.exitCode = 1

/** The function at offset 0 is the module itself. */
function isExecuted({ ranges: [range] }: Profiler.FunctionCoverage): boolean {
  return range !== undefined && range.startOffset > 0 && range.count > 0
}

async function generate() {
  const answer = await fetch(`http://127.0.0.1:${server.port}/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'Hello', model: 'instant' }),
  })
  if (answer.status !== 200) throw new Error(await answer.text())
  await answer.json()
}
