// Runs every npm script: installs missing packages, then starts the pinned Node. The service builds the dashboard beside its
// start, and the workspace first writes the types of the API, if these are missing or older than their sources.
// Plain JavaScript, because the Node that starts it may be as old as 18.
//
//   node scripts/launch.mjs <service | server | workspace> <arguments for Node>
import { writeApiTypes } from './launcher/api-types.mjs'
import { buildBeside } from './launcher/build-beside.mjs'
import { handOver } from './launcher/hand-over.mjs'
import { pinnedNode } from './launcher/pinned-node.mjs'
import { setUp } from './launcher/set-up.mjs'
import { PlainError, say } from './launcher/say.mjs'

const [scope, ...nodeArguments] = process.argv.slice(2)

try {
  if (scope !== 'service' && scope !== 'server' && scope !== 'workspace')
    throw new PlainError(`no such scope: ${scope}`)
  const root = process.cwd()
  await setUp({ root, scope: scope === 'workspace' ? scope : 'server' })
  const node = pinnedNode(root)
  if (scope === 'service') buildBeside(root, node)
  if (scope === 'workspace') writeApiTypes(root, node)
  handOver(node, nodeArguments)
} catch (error) {
  if (!(error instanceof PlainError)) throw error
  say(error.message)
  process.exitCode = 1
}
