import { Command } from 'commander'
import { withOffline } from '../with-offline.ts'

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('create or update the tables of the database, and exit')
    .action(async () => {
      await withOffline(async () => {}, { migrate: true })
      console.log('The database is up to date.')
    })
}
