import { Command } from 'commander'
import { printRecords } from '../print.ts'
import { withOffline } from '../with-offline.ts'

interface CreateOptions {
  readonly user: string
  readonly name: string
  readonly scopes?: string
  readonly json?: true
}

interface ListOptions {
  readonly user: string
  readonly json?: true
}

const shown = ['id', 'name', 'prefix', 'scopes', 'expiresAt', 'revokedAt'] as const

export function keyCommand(): Command {
  const key = new Command('key').description('manage API keys on the machine of the service')
  key
    .command('create')
    .description('create an API key, and print its secret, which is shown only once')
    .requiredOption('--user <email>', 'email address of its owner')
    .requiredOption('--name <name>', 'display name')
    .option('--scopes <list>', 'scopes, separated by commas (default: generate,analyze,models)')
    .option('--json', 'print the key as JSON')
    .action(async ({ user, name, scopes, json }: CreateOptions) => {
      const fields = { name, ...(scopes !== undefined && { scopes: scopes.split(',') }) }
      const created = await withOffline((offline) => offline.createKey(user, fields))
      console.log(json ? JSON.stringify(created, null, 2) : created.secret)
    })
  key
    .command('list')
    .description('list the newest 100 API keys of a user')
    .requiredOption('--user <email>', 'email address of their owner')
    .option('--json', 'print them as JSON')
    .action(async (options: ListOptions) => {
      const keys = await withOffline((offline) => offline.listKeys(options.user))
      printRecords(keys, shown, options)
    })
  key
    .command('revoke <id>')
    .description('revoke an API key')
    .action(async (id: string) => {
      await withOffline((offline) => offline.revokeKey(id))
      console.log(`Revoked the API key ${id}. A running service rejects it within five seconds.`)
    })
  return key
}
