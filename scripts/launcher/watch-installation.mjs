import { say } from './say.mjs'

const everyMs = 5_000

/**
 * Waits for pnpm to exit, and meanwhile prints the latest line of its progress every five seconds. Resolves with all of its
 * output, which is empty if it went to the terminal, and with its exit status.
 * @param {import('node:child_process').ChildProcess} child
 * @param {(line: string) => void} print
 * @returns {Promise<{ output: string, status: number | null }>}
 */
export function watchInstallation(child, print = say) {
  let output = ''
  let seconds = 0
  /** @param {string | Buffer} text */
  const add = (text) => {
    output += text
  }
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  const timer = setInterval(() => {
    seconds += everyMs / 1_000
    const progress =
      output
        .match(/^Progress: .*$/gm)
        ?.at(-1)
        ?.slice('Progress: '.length) ?? 'starting pnpm'
    print(`still installing after ${seconds} s: ${progress}`)
  }, everyMs)
  // A terminal shows pnpm's own progress.
  if (!child.stdout) clearInterval(timer)
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ output: String(error), status: null }))
    child.on('close', (status) => resolve({ output, status }))
  }).finally(() => clearInterval(timer))
}
