import { Command } from 'commander'

interface Options {
  readonly json?: true
}

export function backupCommand(): Command {
  return new Command('backup')
    .description('copy the SQLite database, the images and the secret key to a new folder, also while the service runs')
    .argument('<folder>', 'folder that does not exist yet')
    .option('--json', 'print the result as JSON')
    .action(async (folder: string, { json }: Options) => {
      const { backUp, config } = await load()
      const backup = await backUp(config, folder)
      if (json) return console.log(JSON.stringify(backup, null, 2))
      const images = backup.images === 1 ? '1 image' : `${backup.images} images`
      console.log(
        config.s3
          ? `Backed up the database to ${folder}. The images stay in the bucket ${config.s3.bucket}: back it up too.`
          : `Backed up the database and ${images} to ${folder}.`,
      )
    })
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('copy a backup into an empty data folder')
    .argument('<folder>', 'folder that "fairlead backup" wrote')
    .option('--json', 'print the result as JSON')
    .action(async (folder: string, { json }: Options) => {
      const { restore, config } = await load()
      const backup = await restore(config, folder)
      console.log(
        json
          ? JSON.stringify(backup, null, 2)
          : `Restored the backup of ${backup.createdAt} to ${config.dataDirectory}. Start the service.`,
      )
    })
}

export function copyCommand(): Command {
  return new Command('copy')
    .description('copy all records of the SQLite database to an empty PostgreSQL database, and compare them')
    .requiredOption('--to <url>', 'URL of the database, such as postgres://user@db.example.com:5432/fairlead')
    .option('--json', 'print the number of rows of each table as JSON')
    .addHelpText('after', '\nStop the service first: a database that it has open is not copied.')
    .action(async ({ to, json }: Options & { readonly to: string }) => {
      const { copyTo, config } = await load()
      const tables = await copyTo(to, config)
      if (json) return console.log(JSON.stringify(tables, null, 2))
      const rows = Object.values(tables).reduce((sum, each) => sum + each, 0)
      console.log(
        `Copied ${rows} rows of ${Object.keys(tables).length} tables; counts and checksums agree.\n` +
          `Start the service with DATABASE_URL set to the new database, and with the same ${config.s3 ? 'FAIRLEAD_S3_BUCKET' : 'FAIRLEAD_DATA_DIR'} for images.\n` +
          `Set FAIRLEAD_SECRET_KEY to the secret key of before, which is in ${config.dataDirectory}/secret-key unless you set one.`,
      )
    })
}

async function load() {
  const [backup, { readConfig }] = await Promise.all([
    import('@fairlead/server/backup'),
    import('@fairlead/server/config'),
  ])
  return { ...backup, config: readConfig(process.env) }
}
