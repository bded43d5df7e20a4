import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PlainError } from './say.mjs'

const minNode = { major: 22, minor: 19 }

/**
 * The Node for all commands: the pinned one on Linux, otherwise the running one if it is new enough.
 * @param {string} root
 * @param {{ platform: string, arch: string, execPath: string, versions: { node: string } }} running
 */
export function pinnedNode(root, running = process) {
  const locked = join(root, 'node_modules', `node-${running.platform}-${running.arch}`, 'bin', 'node')
  if (existsSync(locked) && !isMusl()) return locked
  if (isNewEnough(running.versions.node)) return running.execPath
  throw new PlainError(
    `Fairlead includes Node for Linux only. On ${running.platform}-${running.arch} it needs Node ${minNode.major}.${minNode.minor} or newer,` +
      ` but this is Node ${running.versions.node}. Install a newer one from nodejs.org and try again.`,
  )
}

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > minNode.major || (major === minNode.major && minor >= minNode.minor)
}

// The pinned binary is built against glibc.
function isMusl() {
  return existsSync('/etc/alpine-release')
}
