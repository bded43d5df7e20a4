import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ClientId, clients, clientFolder, isInstalled } from '../apps/server/src/testing/clients/table.ts'
import { readTitles } from './clients/read-titles.ts'

// Runs the clients of other people against the service, as npm has them: all, or `npm run clients -- codex cline`.
// `npm run clients -- --install` only installs them.

const [onlyInstall, wanted] = [process.argv.includes('--install'), process.argv.slice(2).filter(isName)]
const ids = Object.keys(clients) as ClientId[]
const unknown = wanted.find((name) => !readTitles().has(name))
if (unknown !== undefined) {
  console.error(`There is no client "${unknown}": write ${[...readTitles().keys()].join(', ')}`)
  process.exit(1)
}
await installMissing(ids.filter((id) => wanted.length === 0 || wanted.includes(id)))
if (onlyInstall) process.exit()
const files = wanted.map((name) => `apps/server/src/clients/${name}.clients.test.ts`)
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project=clients',
    '--reporter=./scripts/clients/line-reporter.ts',
    '--maxWorkers=2',
    ...files,
  ],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)

function isName(argument: string): boolean {
  return argument !== '--install'
}

/** Two at a time: npm is busy with the network and with unpacking in turn. */
async function installMissing(missing: readonly ClientId[]): Promise<void> {
  const queue = missing.filter((id) => !isInstalled(id))
  const work = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) await install(id)
  }
  await Promise.all([work(), work()])
}

/** Leaves the reason in the folder if it fails, which the tests report. */
async function install(id: ClientId): Promise<void> {
  const folder = clientFolder(id)
  const packages: Readonly<Record<string, string>> = clients[id].packages
  console.log(`Installing ${clients[id].name} …`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }))
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  try {
    await promisify(execFile)('npm', ['install', ...flags], {
      cwd: folder,
      timeout: 600_000,
      shell: process.platform === 'win32',
    })
    writeFileSync(join(folder, 'complete'), '')
  } catch (error) {
    const { stderr, message } = error as { readonly stderr?: string; readonly message: string }
    const [reason] = (stderr || message).trim().split('\n')
    writeFileSync(join(folder, 'failure'), `npm could not install it: ${reason}`)
  }
}
