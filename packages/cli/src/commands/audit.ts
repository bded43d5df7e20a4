import type { AuditReport } from '@fairlead/accounts/server'
import { Command, InvalidArgumentError } from 'commander'
import { CommandError } from '../command-error.ts'
import { withOffline } from '../with-offline.ts'

interface VerifyOptions {
  readonly json?: true
  readonly expect?: string
  readonly unsigned?: number
}

export function auditCommand(): Command {
  const audit = new Command('audit').description('check the audit log on the machine of the service')
  audit
    .command('verify')
    .description('check that no entry of the audit log was removed, changed or reordered, also while the service runs')
    .option('--expect <head>', 'fail unless this head, which was noted before, is in the log')
    .option('--unsigned <count>', 'how many entries a version before signatures added during an upgrade', toCount)
    .option('--json', 'print the result as JSON')
    .action(async ({ json, ...expected }: VerifyOptions) => {
      const report = await withOffline((offline) => offline.verifyAudit(expected))
      if (json) console.log(JSON.stringify(report, null, 2))
      else print(report)
      const broken = report.months.filter(({ fault }) => fault !== undefined).map(({ month }) => month)
      if (broken.length > 0) throw new CommandError(`The audit log was tampered with: ${broken.join(', ')}.`)
      if (report.faults.length > 0) throw new CommandError(`The audit log is not whole: ${report.faults.join('; ')}.`)
    })
  return audit
}

function print({ months, removed, head }: AuditReport): void {
  if (removed) {
    console.log(
      `Retention removed ${counted(removed.entries)} until ${removed.month}, last on ${new Date(removed.at).toISOString()}.`,
    )
  }
  for (const { month, entries, hash, unsigned, fault } of months) {
    const note = unsigned === 0 ? '' : `  ${unsigned} without a signature`
    console.log(`${month}  ${counted(entries)}  ${fault ?? `ok  ${hash}`}${note}`)
  }
  console.log(head === null ? 'The audit log has no entries.' : `Head: ${head}`)
}

function counted(entries: number): string {
  return `${entries} ${entries === 1 ? 'entry' : 'entries'}`
}

function toCount(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Pass a number of entries.')
  return Number(value)
}
