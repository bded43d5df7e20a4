import { Command } from 'commander'
import { CommandError } from '../command-error.ts'
import { withOffline } from '../with-offline.ts'

export function auditCommand(): Command {
  const audit = new Command('audit').description('check the audit log on the machine of the service')
  audit
    .command('verify')
    .description('check that no entry of the audit log was removed, changed or reordered, also while the service runs')
    .option('--json', 'print the months as JSON')
    .action(async ({ json }: { readonly json?: true }) => {
      const months = await withOffline((offline) => offline.verifyAudit())
      if (json) console.log(JSON.stringify(months, null, 2))
      else if (months.length === 0) console.log('The audit log has no entries.')
      else {
        for (const { month, entries, hash, fault } of months)
          console.log(`${month}  ${entries} ${entries === 1 ? 'entry' : 'entries'}  ${fault ?? `ok  ${hash}`}`)
      }
      const broken = months.filter(({ fault }) => fault !== undefined).map(({ month }) => month)
      if (broken.length > 0) throw new CommandError(`The audit log was tampered with: ${broken.join(', ')}.`)
    })
  return audit
}
