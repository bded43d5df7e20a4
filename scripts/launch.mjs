// Runs every npm script: installs missing packages, then starts the pinned Node.
// Plain JavaScript, because the Node that starts it may be as old as 18.
//
//   node scripts/launch.mjs <server | workspace> <arguments for Node>
import { handOver } from './launcher/hand-over.mjs'
import { pinnedNode } from './launcher/pinned-node.mjs'
import { setUp } from './launcher/set-up.mjs'
import { PlainError, say } from './launcher/say.mjs'

const [scope, ...nodeArguments] = process.argv.slice(2)

try {
  if (scope !== 'server' && scope !== 'workspace') throw new PlainError(`no such scope: ${scope}`)
  setUp({ root: process.cwd(), scope })
  handOver(pinnedNode(process.cwd()), nodeArguments)
} catch (error) {
  if (!(error instanceof PlainError)) throw error
  say(error.message)
  process.exitCode = 1
}
