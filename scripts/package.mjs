// Makes the folder that the container image and the systemd unit run: the service in a few files, its native dependencies,
// and Node. Run it in the root of a checkout; it needs Node and npm.
//
//   node scripts/package.mjs <folder> [--local-models=true] [--llama-cpp=false]
import { existsSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pinnedNode } from './launcher/pinned-node.mjs'
import { PlainError, say } from './launcher/say.mjs'
import { setUp } from './launcher/set-up.mjs'

const root = process.cwd()

try {
  const { folder, localModels, llamaCpp } = readArguments()
  await setUp({ root, scope: 'workspace' })
  const node = pinnedNode(root)
  run(node, [join('scripts', 'build-packages.ts')])
  const { packService } = await import('./packaged/pack-service.mjs')
  await packService({ root, folder, node, localModels, llamaCpp })
  run(node, [join('scripts', 'packed', 'copy-browser-files.mjs'), join(folder, 'dist')])
  run(node, [join('scripts', 'notices.ts'), join(folder, 'THIRD_PARTY_NOTICES.txt')])
  say(`the service is in ${folder}`)
} catch (error) {
  if (!(error instanceof PlainError)) throw error
  say(error.message)
  process.exitCode = 1
}

function readArguments() {
  // Values rather than flags, because build arguments of an image have values.
  const options = /** @type {const} */ ({
    'local-models': { type: 'string', default: 'true' },
    'llama-cpp': { type: 'string', default: 'false' },
  })
  const { positionals, values } = parseArgs({ options, allowPositionals: true })
  const [path] = positionals
  if (path === undefined || positionals.length > 1) throw new PlainError('name one folder to make')
  for (const [name, value] of Object.entries(values)) {
    if (!['true', 'false'].includes(value)) throw new PlainError(`--${name} must be true or false, not ${value}`)
  }
  const folder = resolve(path)
  if (existsSync(folder)) throw new PlainError(`${folder} exists: remove it first`)
  return { folder, localModels: values['local-models'] === 'true', llamaCpp: values['llama-cpp'] === 'true' }
}

/** @type {(command: string, commandArguments: readonly string[]) => void} */
function run(command, commandArguments) {
  const { status } = spawnSync(command, commandArguments, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new PlainError(`${commandArguments[0]} failed`)
}
