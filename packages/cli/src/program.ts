import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import tab from '@bomb.sh/tab/commander'
import { Command } from 'commander'
import { acceptImagesCommand } from './commands/accept-images.ts'
import { auditCommand } from './commands/audit.ts'
import { backupCommand, copyCommand, restoreCommand } from './commands/backup.ts'
import { configCommand } from './commands/config.ts'
import { doctorCommand } from './commands/doctor.ts'
import { importCommand } from './commands/import.ts'
import { initCommand } from './commands/init.ts'
import { keyCommand } from './commands/key.ts'
import { migrateCommand } from './commands/migrate.ts'
import { startCommand } from './commands/start.ts'
import { userCommand } from './commands/user.ts'
import { webhooksCommand } from './commands/webhooks.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

/** Errors with a message that says what to do. */
const expected = ['CommandError', 'ConfigError', 'FairleadError']

/** The commands of `fairlead`. Each loads the service only when it runs: `--help` takes a tenth of a second. */
export function createProgram(): Command {
  const program = new Command('fairlead')
    .description('One service in front of AI models. Without a command, starts it.')
    .version(version, '-v, --version')
    .addCommand(startCommand())
    .addCommand(migrateCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(copyCommand())
    .addCommand(acceptImagesCommand())
    .addCommand(userCommand())
    .addCommand(keyCommand())
    .addCommand(auditCommand())
    .addCommand(configCommand())
    .addCommand(doctorCommand())
    .addCommand(webhooksCommand())
    .addCommand(initCommand())
    .addCommand(importCommand())
  tab(program)
  return program
}

/** Runs the command. Sets the exit code 1, after one message, if it fails. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    // Node keeps the variables that are set already.
    if (existsSync('.env')) process.loadEnvFile()
    // The libraries of S3 and images look for files in the home folder, and throw for a user without one.
    if (!hasHome()) process.env['HOME'] = '/'
    await createProgram().parseAsync(withCommand(args), { from: 'user' })
  } catch (error) {
    process.stderr.write(`${readMessage(error)}\n`)
    process.exitCode = 1
  }
}

function hasHome(): boolean {
  try {
    return homedir() !== ''
  } catch {
    // The user is unknown to the system, as in some containers.
    return false
  }
}

/** Without a command, `fairlead` starts the service. */
function withCommand(args: readonly string[]): readonly string[] {
  const [first] = args
  if (first === undefined) return ['start']
  return first.startsWith('-') && !['-h', '--help', '-v', '--version'].includes(first) ? ['start', ...args] : args
}

/** A stack shows only for a defect. */
function readMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return expected.includes(error.name) || 'code' in error ? error.message : (error.stack ?? error.message)
}
