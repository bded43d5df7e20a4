// npm run bench:start -- [rounds], after `npm run build`: how long a service takes until it is ready, installed with empty
// caches into an empty folder, and started again there. Fairlead from a clone, Fairlead from its packages, and Portkey's
// gateway take turns. Prints every figure, and a table of medians.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installedIn } from '../scripts/installed-in.mjs'
import { run } from '../scripts/packed/run.ts'
import { freePort } from './servers/free-port.ts'
import { median } from './median.ts'

interface Contender {
  readonly label: string
  /** Seconds of a cold start include it. */
  install(folder: string, env: NodeJS.ProcessEnv): void
  start(port: number): readonly string[]
  /** Answers with 200 as soon as the service is ready. */
  readonly ready: string
  /** Answers with 200 once the first start has done what later ones need not. Default: at once. */
  readonly complete?: string
  /** Where the packages are, in the folder. */
  readonly packages: string
}

interface Times {
  readonly cold: number
  /** Until the first output of a cold start, in seconds. */
  readonly firstByte: number
  readonly warm: number
}

const root = join(import.meta.dirname, '..')
const rounds = Number(process.argv[2] ?? 3)
const limitMs = 600_000
const pollMs = 50
const world = mkdtempSync(join(tmpdir(), 'fairlead-start-'))
const tarballs = pack()
const portkey = manifestOf(join(import.meta.dirname, 'node_modules/@portkey-ai/gateway')).version

const contenders: readonly Contender[] = [
  {
    label: 'Fairlead, a clone',
    install: (folder) => run('git', ['clone', '--quiet', root, folder]),
    start: () => ['npm', 'start'],
    ready: '/readyz',
    complete: '/dashboard',
    packages: 'node_modules/.pnpm',
  },
  {
    label: 'Fairlead, packed',
    // Nothing is published, so that npm needs to know every tarball.
    install: (folder, env) => npmInstall(folder, env, Object.fromEntries(tarballs)),
    start: (port) => ['npx', 'fairlead', '--port', String(port)],
    ready: '/readyz',
    packages: 'node_modules',
  },
  {
    label: `Portkey ${portkey}`,
    install: (folder, env) => npmInstall(folder, env, { '@portkey-ai/gateway': portkey }),
    start: (port) => ['npx', '@portkey-ai/gateway', `--port=${port}`, '--headless'],
    ready: '/',
    packages: 'node_modules',
  },
]

try {
  const measured = new Map<Contender, Times[]>(contenders.map((each) => [each, []]))
  const sizes = new Map<Contender, ReturnType<typeof installedIn>>()
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) {
      const folder = join(world, `${contenders.indexOf(contender)}-${round}`)
      const times = await measure(contender, folder)
      console.log(contender.label, JSON.stringify(times), `load average ${loadavg().join(' ')}`)
      measured.get(contender)?.push(times)
      sizes.set(contender, installedIn(join(folder, contender.packages)))
      rmSync(folder, { recursive: true })
    }
  }
  console.log('| service | cold start | again | packages | files | megabytes |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
  for (const [contender, times] of measured) {
    const { packages, files, bytes } = sizes.get(contender)!
    const of = (name: keyof Times) => `${median(times.map((each) => each[name])).toFixed(1)} s`
    const size = `${packages} | ${files.toLocaleString('en')} | ${Math.round(bytes / 1e6)}`
    console.log(`| ${contender.label} | ${of('cold')} | ${of('warm')} | ${size} |`)
  }
} finally {
  rmSync(world, { recursive: true })
}

/** Installs and starts in a fresh folder, whose caches are empty, and starts once more. */
async function measure({ install, start, ready, complete = ready }: Contender, folder: string): Promise<Times> {
  const caches = `${folder}-caches`
  const env = {
    ...process.env,
    // npm runs under the Node that runs this.
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    XDG_CACHE_HOME: join(caches, 'cache'),
    XDG_DATA_HOME: join(caches, 'data'),
    XDG_STATE_HOME: join(caches, 'state'),
    npm_config_cache: join(caches, 'npm'),
  }
  const began = performance.now()
  install(folder, env)
  const installed = (performance.now() - began) / 1000
  const first = await secondsUntilReady({ start, ready, complete }, folder, env)
  const again = await secondsUntilReady({ start, ready, complete: ready }, folder, env)
  rmSync(caches, { recursive: true, force: true })
  return { cold: installed + first.ready, firstByte: first.firstByte, warm: again.ready }
}

async function secondsUntilReady(
  { start, ready, complete }: Required<Pick<Contender, 'start' | 'ready' | 'complete'>>,
  cwd: string,
  env: NodeJS.ProcessEnv,
) {
  const port = await freePort()
  const [command = '', ...commandArguments] = start(port)
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  // A separate process group, so that all of its processes can be ended.
  const service = spawn(command, commandArguments, { cwd, env: { ...env, PORT: String(port) }, detached: true })
  const ended = once(service, 'close')
  let output = ''
  let firstByte = 0
  for (const stream of [service.stdout, service.stderr]) {
    stream.on('data', (text) => {
      firstByte ||= seconds()
      output += text
    })
  }
  const untilAnswers = async (path: string) => {
    while (!(await answers(`http://127.0.0.1:${port}${path}`))) {
      if (service.exitCode !== null || seconds() > limitMs / 1000) throw new Error(`it did not start:\n${output}`)
      await sleep(pollMs)
    }
    return seconds()
  }
  try {
    const readyAfter = await untilAnswers(ready)
    await untilAnswers(complete)
    return { ready: readyAfter, firstByte }
  } finally {
    if (service.exitCode === null) process.kill(-service.pid!, 'SIGTERM')
    await ended
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Packs what `npx fairlead` installs: names of packages, with their files. */
function pack(): readonly (readonly [string, string])[] {
  const pnpm = manifestOf(root).packageManager?.split('+')[0] ?? ''
  const filter = ['-r', '--filter-prod', 'fairlead...']
  run('npx', ['--yes', '--package', pnpm, 'pnpm', ...filter, 'pack', '--pack-destination', world], root)
  return globSync(join(world, '*.tgz')).map((path) => [nameOf(path), `file:${path}`])
}

function nameOf(tarball: string): string {
  const text = execFileSync('tar', ['--extract', '--to-stdout', '--gzip', `--file=${tarball}`, 'package/package.json'])
  return (JSON.parse(String(text)) as { readonly name: string }).name
}

function npmInstall(folder: string, env: NodeJS.ProcessEnv, dependencies: Readonly<Record<string, string>>): void {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }))
  run('npm', ['install', '--no-audit', '--no-fund'], folder, env)
}

function manifestOf(folder: string) {
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  return JSON.parse(text) as { readonly version: string; readonly packageManager?: string }
}
