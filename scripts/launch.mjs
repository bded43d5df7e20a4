// Runs every npm script: installs missing packages, then starts the pinned Node. For the service, it builds the dashboard
// in between if that is missing or older than its sources.
// Plain JavaScript, because the Node that starts it may be as old as 18.
//
//   node scripts/launch.mjs <service | server | workspace> <arguments for Node>
import { buildDashboard } from './launcher/build-dashboard.mjs'
import { handOver } from './launcher/hand-over.mjs'
import { pinnedNode } from './launcher/pinned-node.mjs'
import { setUp } from './launcher/set-up.mjs'
import { PlainError, say } from './launcher/say.mjs'

const [scope, ...nodeArguments] = process.argv.slice(2)

try {
  if (scope !== 'service' && scope !== 'server' && scope !== 'workspace')
    throw new PlainError(`no such scope: ${scope}`)
  const root = process.cwd()
  setUp({ root, scope: scope === 'workspace' ? scope : 'server' })
  const node = pinnedNode(root)
  if (scope === 'service') buildDashboard(root, node)
  handOver(node, nodeArguments)
} catch (error) {
  if (!(error instanceof PlainError)) throw error
  say(error.message)
  process.exitCode = 1
}
