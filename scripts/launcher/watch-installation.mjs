import { say } from './say.mjs'

const everyMs = 2_000

/**
 * Waits for pnpm to exit, and meanwhile prints every two seconds what it waits for. Resolves with all of its output, which
 * is empty if it went to the terminal, and with its exit status.
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} pnpm with its version
 * @param {(line: string) => void} print
 * @returns {Promise<{ output: string, status: number | null }>}
 */
export function watchInstallation(child, pnpm, print = say) {
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
    print(`after ${seconds} s: ${stepOf(output, pnpm)}`)
  }, everyMs)
  // A terminal shows pnpm's own progress.
  if (!child.stdout) clearInterval(timer)
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ output: String(error), status: null }))
    child.on('close', (status) => resolve({ output, status }))
  }).finally(() => clearInterval(timer))
}

/** @type {(output: string, pnpm: string) => string} */
function stepOf(output, pnpm) {
  if (output === '') return `fetching ${pnpm}`
  const [progress] = output.match(/^Progress: .*$/gm)?.slice(-1) ?? []
  const { all, reused, downloaded, added } =
    /resolved (?<all>\d+), reused (?<reused>\d+), downloaded (?<downloaded>\d+), added (?<added>\d+)/.exec(
      progress ?? '',
    )?.groups ?? {}
  if (all === undefined) return 'reading the lock file'
  if (progress?.endsWith('done')) return `linking ${all} packages`
  return `fetched ${Number(reused) + Number(downloaded)} of ${all} packages, unpacked ${added}`
}
