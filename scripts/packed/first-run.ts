// node scripts/packed/first-run.ts, after `npm run build`: how long `npx fairlead` takes in an empty folder. Packs every
// package, installs the tarballs with a cold and then with a warm cache of npm, and times the start until the first
// generated text.
import { execFileSync, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { run } from './run.ts'

const world = mkdtempSync(join(tmpdir(), 'fairlead-first-run-'))
const cache = join(world, 'npm')
/** npm runs under the Node that runs this, and keeps nothing outside of the folder. */
const env = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  XDG_CACHE_HOME: join(world, 'compiled'),
  npm_config_cache: cache,
}

try {
  const tarballs = pack()
  const installs: readonly number[] = ['cold', 'warm'].map((name) => seconds(() => install(name, tarballs)))
  const starts = [await timeFirstText('warm'), await timeFirstText('warm')]
  const [size = ''] = execFileSync('du', ['-sm', 'node_modules'], { cwd: join(world, 'warm'), encoding: 'utf8' }).split(
    '\t',
  )
  console.log(
    `install: ${installs[0]!.toFixed(1)} s with a cold cache, ${installs[1]!.toFixed(1)} s with a warm one, ${size} MB`,
  )
  console.log(`first text after npx fairlead: ${starts.map((each) => `${each.toFixed(1)} s`).join(', then ')}`)
} finally {
  rmSync(world, { recursive: true })
}

function pack(): readonly string[] {
  const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly packageManager: string }
  const filter = ['-r', '--filter-prod', 'fairlead...']
  run('npx', ['--yes', '--package', packageManager, 'pnpm', ...filter, 'pack', '--pack-destination', world])
  return globSync(join(world, '*.tgz'))
}

/** Installs in an empty folder. Nothing is published, so that npm needs to know every tarball. */
function install(name: string, tarballs: readonly string[]): void {
  const folder = join(world, name)
  mkdirSync(folder)
  const files = tarballs.map((path) => [nameOf(path), `file:${path}`])
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: Object.fromEntries(files) }))
  run('npm', ['install', '--no-audit', '--no-fund'], folder, env)
}

function nameOf(tarball: string): string {
  const manifest = execFileSync('tar', [
    '--extract',
    '--to-stdout',
    '--gzip',
    `--file=${tarball}`,
    'package/package.json',
  ])
  return (JSON.parse(String(manifest)) as { readonly name: string }).name
}

function seconds(act: () => void): number {
  const startedAt = performance.now()
  act()
  return (performance.now() - startedAt) / 1000
}

/** Seconds from `npx fairlead` on an empty data folder to the first generated text. */
async function timeFirstText(name: string): Promise<number> {
  const startedAt = performance.now()
  const data = mkdtempSync(join(world, 'data-'))
  const service = spawn('npx', ['fairlead', '--port', '0', '--data', data], { cwd: join(world, name), env })
  service.stderr.pipe(process.stderr)
  const ended = once(service, 'exit')
  try {
    let output = ''
    for await (const [text] of on(service.stdout, 'data', { close: ['end'] })) {
      output += text
      if (/listens on (\S+?),/.test(output)) break
    }
    const [, url] = /listens on (\S+?),/.exec(output) ?? []
    const [key] = /fl_\w+/.exec(readFileSync(join(data, 'first-login.txt'), 'utf8')) ?? []
    if (!url || !key) throw new Error(`the service did not start:\n${output}`)
    const response = await fetch(`${url}/v1/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'scribe', prompt: 'Write a haiku about rain' }),
    })
    const { data: generation } = (await response.json()) as { readonly data?: { readonly content: string } }
    if (!generation?.content) throw new Error(`no text: ${response.status}`)
    return (performance.now() - startedAt) / 1000
  } finally {
    service.kill('SIGTERM')
    await ended
  }
}
