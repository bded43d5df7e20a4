// node scripts/packaged/check.ts: makes the packaged service in a clean clone, with the command of the Dockerfile, and starts
// it as a container would. Needs Linux, root, and namespaces. Prints what it measures.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../packed/run.ts'
import { canIsolate, type Container, ownership, startContainer } from './container.ts'
import { type Image, readDockerfile } from './dockerfile.ts'

/** In MB. The base image adds about 25: the image has at most 260 with local models, and 200 without. */
const limits = { local: 230, remote: 170, idleMemory: 120 }

/** Files that no production image has. */
const unwanted = /(^|\/)node_modules\/(typescript|vitest|vite|esbuild|oxlint|oxfmt|knip|node-llama-cpp)\/|\.(ts|map)$/

/** The configuration file gets the same packages as the service. */
const configuration = `import { FairleadError } from '@fairlead/core'
import { textAnswer } from '@fairlead/core/provider'
import { defineConfig } from '@fairlead/server'
const fake = {
  contract: 2,
  id: 'fake',
  models: [{ id: 'any', name: 'Any', type: 'text', description: 'Says hello.', maxTokens: 100 }],
  generateText: async () => textAnswer('hello', { usage: { promptTokens: 1, completionTokens: 1 } }),
}
export default defineConfig({ providers: [fake] })
if (typeof FairleadError !== 'function') throw new Error('no classes')
`

const faults: string[] = []
const world = mkdtempSync(join(tmpdir(), 'fairlead-packaged-'))
try {
  if (canIsolate()) await check()
  else if (process.env['CI'] === 'true')
    throw new Error('CI starts the packaged service in namespaces: run as root with CAP_SYS_ADMIN')
  else console.log('*** SKIPPED: the packaged service (needs root and namespaces). ***')
} finally {
  rmSync(world, { recursive: true })
}
for (const fault of faults) console.log(fault)
if (faults.length > 0) process.exitCode = 1

async function check(): Promise<void> {
  // Other users may read it, as they may read a container's files.
  spawnSync('chmod', ['755', world])
  const clone = join(world, 'clone')
  run('git', ['clone', '--quiet', '.', clone])
  await checkLocal(make(clone, 'local', 'true'))
  await checkRemote(make(clone, 'remote', 'false'))
}

interface Made {
  readonly image: Image
  readonly app: string
  readonly data: string
}

/** Runs the command of the Dockerfile in the clone. */
function make(clone: string, name: 'local' | 'remote', localModels: string): Made {
  const app = join(world, name)
  const data = join(world, `${name}-data`)
  const image = readDockerfile(join(clone, 'Dockerfile'), { app, data })
  run('sh', ['-c', image.build], clone, { ...process.env, LOCAL_MODELS: localModels, LLAMA_CPP: 'false' })
  const files = readdirSync(app, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => join(parentPath, file))
  const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6
  console.log(`${name}: ${megabytes.toFixed(0)} MB in ${files.length} files`)
  expect(`${name}: at most ${limits[name]} MB`, megabytes <= limits[name])
  for (const file of files.filter((each) => unwanted.test(each.slice(app.length)))) faults.push(`${file} is not needed`)
  return { image, app, data }
}

async function checkLocal({ image, app, data }: Made): Promise<void> {
  const service = await startContainer(image, { app, data, settings: { FAIRLEAD_PROVIDERS: 'local' } })
  console.log(`local: ready after ${service.readyMs.toFixed(0)} ms, ${service.residentMb().toFixed(0)} MB of memory`)
  expect('a text of a local model', typeof (await generate(service, data, 'scribe')), 'string')
  expect('an image of a local model', (await post(service, data, '/v1/generate/image', { model: 'vista' })).status, 200)
  expect('the dashboard', (await fetch(`${service.url}/dashboard`)).status, 200)
  expect('the health check', service.checkHealth(), 0)
  expect('the first login is for its owner alone', ownership(join(data, 'first-login.txt')), `600 ${image.user}`)
  expect('SIGTERM ends process 1 with', await service.stop(), 0)
  expect('the health check of a stopped service', service.checkHealth(), 1)
}

async function checkRemote({ image, app, data }: Made): Promise<void> {
  const settings = { OPENAI_API_KEY: 'sk-none', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
  const idle = await startContainer(image, { app, data, settings })
  const megabytes = idle.residentMb()
  console.log(`remote: ready after ${idle.readyMs.toFixed(0)} ms, ${megabytes.toFixed(0)} MB of memory`)
  expect(`at most ${limits.idleMemory} MB of memory when idle`, megabytes <= limits.idleMemory)
  expect('SIGTERM ends process 1 with', await idle.stop(), 0)

  writeFileSync(join(app, 'fairlead.config.ts'), configuration)
  const configured = await startContainer(image, { app, data, settings: {} })
  expect('a text of a configured provider', await generate(configured, data, 'any'), 'hello')
  expect('SIGTERM ends process 1 with', await configured.stop(), 0)
}

async function generate(service: Container, data: string, model: string): Promise<unknown> {
  const response = await post(service, data, '/v1/generate', { model })
  const body = (await response.json()) as { readonly data?: { readonly content: unknown } }
  return body.data?.content ?? body
}

/** Sends a prompt with the first API key. */
async function post({ url }: Container, data: string, path: string, input: object): Promise<Response> {
  const [key] = /fl_\w+/.exec(readFileSync(join(data, 'first-login.txt'), 'utf8')) ?? []
  return fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...input, prompt: 'Write a haiku about rain' }),
  })
}

function expect(what: string, found: unknown, wanted: unknown = true): void {
  if (found !== wanted)
    faults.push(`packaged service: ${what}: expected ${String(wanted)}, got ${JSON.stringify(found)}`)
}
