import { Command, Option } from 'commander'
import { printRecords } from '../print.ts'
import { readPassword } from '../read-password.ts'
import { withOffline } from '../with-offline.ts'

const roles = ['member', 'admin'] as const
const tiers = ['free', 'pro', 'enterprise'] as const

interface CreateOptions {
  readonly name?: string
  readonly role: (typeof roles)[number]
  readonly tier: (typeof tiers)[number]
  readonly json?: true
}

const shown = ['id', 'email', 'role', 'tier', 'status'] as const

export function userCommand(): Command {
  const user = new Command('user').description('manage users on the machine of the service')
  user
    .command('create <email>')
    .description('create a user, with the password from standard input')
    .option('--name <name>', 'display name (default: the email address)')
    .addOption(new Option('--role <role>', 'role').choices(roles).default('member'))
    .addOption(new Option('--tier <tier>', 'tier, which sets the quota').choices(tiers).default('free'))
    .option('--json', 'print the user as JSON')
    .action(async (email: string, { json, name = email, role, tier }: CreateOptions) => {
      const password = await readPassword()
      const created = await withOffline((offline) => offline.createUser({ email, name, role, tier, password }))
      console.log(json ? JSON.stringify(created, null, 2) : `Created the user ${created.email} (${created.id}).`)
    })
  user
    .command('list')
    .description('list the newest 100 users')
    .option('--json', 'print them as JSON')
    .action(async (options) => printRecords(await withOffline((offline) => offline.listUsers()), shown, options))
  user
    .command('set-password <email>')
    .description('set the password from standard input, and end all sessions of the user')
    .action(async (email: string) => {
      const password = await readPassword()
      await withOffline((offline) => offline.setPassword(email, password))
      console.log(`The password of ${email} has been set, and all existing sessions have ended.`)
    })
  user
    .command('remove-passkeys <email>')
    .description('remove the passkeys of a user who has lost them, and end all sessions of the user')
    .action(async (email: string) => {
      const removed = await withOffline((offline) => offline.removePasskeys(email))
      console.log(`Removed ${removed} ${removed === 1 ? 'passkey' : 'passkeys'} of ${email}.`)
    })
  user
    .command('sign-in-link <email>')
    .description('print a link that signs the user in to the dashboard, once, within 15 minutes')
    .action(async (email: string) => console.log(await withOffline((offline) => offline.signInLink(email))))
  return user
}
