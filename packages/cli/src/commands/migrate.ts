import { readConfig } from '@fairlead/server/config'
import { openOffline } from '@fairlead/server/offline'
import { Command } from 'commander'

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('create or update the tables of the database, and exit')
    .action(async () => {
      const offline = await openOffline(readConfig(process.env))
      await offline.close()
      console.log('The database is up to date.')
    })
}
