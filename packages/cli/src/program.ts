import { existsSync, readFileSync } from 'node:fs'
import tab from '@bomb.sh/tab/commander'
import { FairleadError } from '@fairlead/core'
import { ConfigError } from '@fairlead/server/config'
import { Command } from 'commander'
import { configCommand } from './commands/config.ts'
import { initCommand } from './commands/init.ts'
import { keyCommand } from './commands/key.ts'
import { migrateCommand } from './commands/migrate.ts'
import { startCommand } from './commands/start.ts'
import { userCommand } from './commands/user.ts'
import { webhooksCommand } from './commands/webhooks.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

/** The commands of `fairlead`. */
export function createProgram(): Command {
  const program = new Command('fairlead')
    .description('One service in front of AI models. Without a command, starts it.')
    .version(version, '-v, --version')
    .addCommand(startCommand())
    .addCommand(migrateCommand())
    .addCommand(userCommand())
    .addCommand(keyCommand())
    .addCommand(configCommand())
    .addCommand(webhooksCommand())
    .addCommand(initCommand())
  tab(program)
  return program
}

/** Runs the command. Sets the exit code 1, after one message, if it fails. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    // Node keeps the variables that are set already.
    if (existsSync('.env')) process.loadEnvFile()
    await createProgram().parseAsync(withCommand(args), { from: 'user' })
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exitCode = 1
  }
}

/** Without a command, `fairlead` starts the service. */
function withCommand(args: readonly string[]): readonly string[] {
  const [first] = args
  if (first === undefined) return ['start']
  return first.startsWith('-') && !['-h', '--help', '-v', '--version'].includes(first) ? ['start', ...args] : args
}

/** A stack shows only for a defect. */
function messageOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof FairleadError) return error.message
  if (error instanceof Error && 'code' in error) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
