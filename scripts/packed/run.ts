import { spawnSync } from 'node:child_process'

/** Throws an error with the output of the command if it fails. */
export function run(command: string, commandArguments: readonly string[], cwd = '.'): void {
  const failure = failureOf(command, commandArguments, cwd)
  if (failure !== undefined) throw new Error(failure)
}

/** The command and its output if it fails; undefined if it succeeds. */
export function failureOf(command: string, commandArguments: readonly string[], cwd: string): string | undefined {
  const { status, stdout, stderr } = spawnSync(command, commandArguments, { encoding: 'utf8', cwd, timeout: 300_000 })
  return status === 0 ? undefined : `${command} ${commandArguments.join(' ')}\n${stdout}${stderr}`
}
