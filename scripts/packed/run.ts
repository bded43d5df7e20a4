import { spawnSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'

/** npm and the scripts that it runs get this Node, not the machine's. */
export const npmEnvironment = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) }

/** Throws an error with the output of the command if it fails. */
export function run(command: string, commandArguments: readonly string[], cwd = '.', env = process.env): void {
  const failure = tryCommand(command, commandArguments, cwd, env)
  if (failure !== undefined) throw new Error(failure)
}

/** The command and its output if it fails; undefined if it succeeds. */
export function tryCommand(
  command: string,
  commandArguments: readonly string[],
  cwd: string,
  env = process.env,
): string | undefined {
  const options = { encoding: 'utf8', cwd, env, timeout: 300_000 } as const
  const { status, stdout, stderr } = spawnSync(command, commandArguments, options)
  return status === 0 ? undefined : `${command} ${commandArguments.join(' ')}\n${stdout}${stderr}`
}
