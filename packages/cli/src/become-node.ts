import { spawn } from 'node:child_process'
import { flushCompileCache } from 'node:module'
import { constants, homedir } from 'node:os'
import { join } from 'node:path'

/** Preloaded into a process whose parent forwards no signals: lets it stop when the parent ends. */
export const followParent = import.meta.resolve('./follow-parent.mjs')

/**
 * Replaces this process with `node <nodeArguments>`, so that nothing has to relay signals. On Windows, which cannot replace
 * a process, runs it as a child and exits with its code.
 */
export function becomeNode(nodeArguments: readonly string[], environment: NodeJS.ProcessEnv): void {
  // With the compile cache, imports take half as long from the second start on.
  const folder = environment['XDG_CACHE_HOME'] || environment['LOCALAPPDATA'] || join(homedir(), '.cache')
  const env = { NODE_COMPILE_CACHE: join(folder, 'fairlead', 'compiled'), ...environment }
  if (process.execve && process.platform !== 'win32') {
    // Otherwise only an exit writes what this process compiled.
    flushCompileCache()
    process.execve(process.execPath, [process.execPath, ...nodeArguments], env)
  }
  const child = spawn(process.execPath, nodeArguments, { stdio: 'inherit', env })
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
    // The console sends Ctrl-C to the child too.
    process.on(signal, () => signal === 'SIGINT' || child.kill(signal))
  }
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']))
}
