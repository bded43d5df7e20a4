// npm run check -- --request-path: the files with a function that one POST /generate runs.
import { mkdtempSync, rmSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Provider } from '@fairlead/core/provider'
import { readConfig } from '../apps/server/src/config.ts'
import { start } from '../apps/server/src/start.ts'

const root = new URL('..', import.meta.url)

const model = {
  id: 'instant',
  type: 'text',
  name: 'Instant',
  description: 'Answers at once.',
  maxTokens: 4_096,
  pricing: { input: 0, output: 0 },
} as const

const provider: Provider = {
  contract: 1,
  id: 'instant',
  models: [model],
  generateText: async () => ({
    content: 'Hello',
    finishReason: 'stop',
    usage: { promptTokens: 1, completionTokens: 1 },
  }),
}

const folder = mkdtempSync(join(tmpdir(), 'fairlead-request-path-'))
const server = await start(readConfig({ PORT: '0', FAIRLEAD_DATA_DIR: folder }), {
  service: { name: 'Fairlead', version: '0.0.0' },
  logTo: new Writable({ write: (_chunk, _encoding, done) => done() }),
  loadProviders: async () => [provider],
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
rmSync(folder, { recursive: true })

const paths = result
  .filter(({ functions }) => functions.some(isExecuted))
  .map(({ url }) => (url.startsWith(root.href) ? relative(fileURLToPath(root), fileURLToPath(url)) : ''))
  .filter((path) => /^(packages|apps)\/.*\/src\//.test(path))
  .sort()
for (const path of paths) console.log(path)
console.log(`${paths.length} files`)

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
