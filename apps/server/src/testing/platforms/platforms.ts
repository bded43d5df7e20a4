import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { build, type BuildOptions } from 'esbuild'
import { clientFolder } from '../clients/table.ts'

type Bindings = Readonly<Record<string, string>>

/** A server that runs a bundle. */
export interface Running {
  readonly url: string
  stop(): Promise<unknown>
}

/** A platform other than Node.js, on which a worker runs: a module whose default export has `fetch(request, env)`. */
export interface Platform {
  /** As the bundlers of the platform set them. */
  readonly bundling: BuildOptions
  start(bundle: string, env: Bindings): Promise<Running>
}

export type PlatformId = 'workers' | 'bun' | 'deno'

/** The part of Miniflare that starts a worker. */
interface MiniflareModule {
  readonly Miniflare: new (options: object) => { readonly ready: Promise<URL>; dispose(): Promise<void> }
}

const onNode: BuildOptions = {
  platform: 'node',
  mainFields: ['module', 'main'],
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
}

export const platforms: Readonly<Record<PlatformId, Platform>> = {
  workers: {
    // https://developers.cloudflare.com/workers/wrangler/bundling: the conditions of wrangler.
    bundling: {
      platform: 'browser',
      conditions: ['workerd', 'worker', 'browser'],
      external: ['node:*', 'cloudflare:*'],
    },
    async start(bundle, bindings) {
      const { Miniflare }: MiniflareModule = createRequire(join(clientFolder('workers'), 'package.json'))('miniflare')
      const miniflare = new Miniflare({
        modules: true,
        scriptPath: bundle,
        modulesRoot: dirname(bundle),
        compatibilityDate: '2026-07-01',
        compatibilityFlags: ['nodejs_compat'],
        host: '127.0.0.1',
        port: 0,
        handleRuntimeStdio: (...outputs: readonly Readable[]) => outputs.forEach(printLogs),
        bindings,
      })
      try {
        return { url: (await miniflare.ready).origin, stop: () => miniflare.dispose() }
      } catch (error) {
        await miniflare.dispose()
        throw error
      }
    },
  },
  bun: {
    bundling: { ...onNode, conditions: ['bun'] },
    start: (bundle, env) =>
      startProgram(
        join(clientFolder('bun'), 'node_modules/@oven', `bun-${process.platform}-${cpu('aarch64')}/bin/bun`),
        [],
        `const { port } = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => worker.fetch(request, process.env) })`,
        { bundle, env },
      ),
  },
  deno: {
    bundling: { ...onNode, conditions: ['deno'] },
    start: (bundle, env) =>
      startProgram(
        join(clientFolder('deno'), 'node_modules/@deno', `${process.platform}-${cpu('arm64')}-glibc/deno`),
        ['run', '--quiet', '--allow-all', '--no-config'],
        `import process from 'node:process'
const { addr: { port } } = Deno.serve({ hostname: '127.0.0.1', port: 0, onListen() {} }, (request) => worker.fetch(request, process.env))`,
        { bundle, env },
      ),
  },
}

/** Writes a bundle of a worker, which may be the text of a program, and the packages that it imports, as npm has them. */
export async function bundleWorker(id: PlatformId, source: BuildOptions, folder: string): Promise<string> {
  const outfile = join(folder, 'worker.mjs')
  const options = { bundle: true, format: 'esm', target: 'es2024', logLevel: 'silent', outfile } as const
  await build({ ...source, ...options, ...platforms[id].bundling })
  return outfile
}

/** The test runner prints them with a failure. */
function printLogs(output: Readable): void {
  // oxlint-disable-next-line no-console -- logs of another program
  output.setEncoding('utf8').on('data', (text: string) => console.error(text))
}

function cpu(arm: string): string {
  return process.arch === 'arm64' ? arm : 'x64'
}

async function startProgram(
  binary: string,
  args: readonly string[],
  serve: string,
  { bundle, env }: { readonly bundle: string; readonly env: Bindings },
): Promise<Running> {
  const program = join(dirname(bundle), 'serve.mjs')
  writeFileSync(program, `import worker from './worker.mjs'\n${serve}\nconsole.log('port ' + port)\n`)
  const child = spawn(binary, [...args, program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: dirname(bundle), NO_COLOR: '1', ...env },
  })
  const ended = once(child, 'exit')
  printLogs(child.stderr)
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const [, found] = /port (\d+)/.exec(text) ?? []
      if (found !== undefined) resolve(found)
    })
    child.on('error', reject).on('exit', (code) => reject(new Error(`${binary} ended with ${code}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
