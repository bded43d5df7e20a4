import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { announceBuild, followParent } from './build-dashboard.mjs'

const script = fileURLToPath(new URL('../build-dashboard.mjs', import.meta.url))
const lowPriority = 10

/**
 * Builds the dashboard, if it must be built, in a process beside the service, which this process becomes or starts. The
 * build ends with this process.
 * @param {string} root
 * @param {string} node
 */
export function buildBeside(root, node) {
  if (!announceBuild(root)) return
  const child = spawn(node, ['--import', followParent(), script], { cwd: root, stdio: ['ignore', 2, 2] })
  child.unref()
  // The service is what people wait for.
  if (child.pid !== undefined) setPriority(child.pid, lowPriority)
}
