import type { Database, Schema } from '../sql/schema.ts'
import type { Migration, SqlTables } from '../sql/tables.ts'
import { firstTables } from './0001-first-tables.ts'
import { accounts } from './0002-accounts.ts'
import { records } from './0003-records.ts'
import { ages } from './0004-ages.ts'
import { webhooks } from './0005-webhooks.ts'
import { eventVersions } from './0006-event-versions.ts'
import { deliveryIndexes } from './0007-delivery-indexes.ts'
import { firstTokens } from './0008-first-tokens.ts'
import { webhookHealth } from './0009-webhook-health.ts'
import { tokenDetails } from './0010-token-details.ts'
import { eventTypes } from './0011-event-types.ts'
import { keyCreators } from './0012-key-creators.ts'
import { requestDetails } from './0013-request-details.ts'
import { compatibleVersions } from './0014-compatible-versions.ts'
import { usageByMonth } from './0015-usage-by-month.ts'
import { keyLimits } from './0016-key-limits.ts'
import { auditLog } from './0017-audit-log.ts'
import { identities } from './0018-identities.ts'
import { budgets } from './0019-budgets.ts'
import { eventsByMonth } from './0020-events-by-month.ts'
import { projects } from './0021-projects.ts'
import { fundedProjects } from './0022-funded-projects.ts'
import { confirmedSessions } from './0023-confirmed-sessions.ts'
import { signedAudit } from './0026-signed-audit.ts'
import { sessionOrigins } from './0027-session-origins.ts'
import { userModels } from './0029-user-models.ts'
import { adminScope } from './0030-admin-scope.ts'
import { imageBytes } from './0031-image-bytes.ts'
import { passkeys } from './0032-passkeys.ts'
import { verifiedEmails } from './0033-verified-emails.ts'
import { storedUsage, storedUsageName } from './0034-stored-usage.ts'

/** A migration after which versions that have `compatibleFrom` can use the tables, too. */
interface CompatibleMigration {
  readonly up: Migration<Database>
  readonly compatibleFrom: string
}

/** In order, forward only. A released migration never changes. */
const migrations: Readonly<Record<string, Migration<Database> | CompatibleMigration>> = {
  '0001-first-tables': firstTables,
  '0002-accounts': accounts,
  '0003-records': records,
  '0004-ages': ages,
  '0005-webhooks': webhooks,
  '0006-event-versions': eventVersions,
  '0007-delivery-indexes': deliveryIndexes,
  '0008-first-tokens': firstTokens,
  '0009-webhook-health': webhookHealth,
  '0010-token-details': tokenDetails,
  '0011-event-types': eventTypes,
  '0012-key-creators': keyCreators,
  '0013-request-details': requestDetails,
  '0014-compatible-versions': { up: compatibleVersions, compatibleFrom: '0013-request-details' },
  '0015-usage-by-month': { up: usageByMonth, compatibleFrom: '0013-request-details' },
  '0016-key-limits': { up: keyLimits, compatibleFrom: '0013-request-details' },
  '0017-audit-log': { up: auditLog, compatibleFrom: '0013-request-details' },
  '0018-identities': { up: identities, compatibleFrom: '0013-request-details' },
  '0019-budgets': { up: budgets, compatibleFrom: '0013-request-details' },
  '0020-events-by-month': { up: eventsByMonth, compatibleFrom: '0013-request-details' },
  '0021-projects': { up: projects, compatibleFrom: '0013-request-details' },
  '0022-funded-projects': { up: fundedProjects, compatibleFrom: '0013-request-details' },
  '0023-confirmed-sessions': { up: confirmedSessions, compatibleFrom: '0013-request-details' },
  '0026-signed-audit': { up: signedAudit, compatibleFrom: '0013-request-details' },
  '0027-session-origins': { up: sessionOrigins, compatibleFrom: '0013-request-details' },
  '0029-user-models': { up: userModels, compatibleFrom: '0013-request-details' },
  '0030-admin-scope': { up: adminScope, compatibleFrom: '0013-request-details' },
  '0031-image-bytes': { up: imageBytes, compatibleFrom: '0013-request-details' },
  '0032-passkeys': { up: passkeys, compatibleFrom: '0013-request-details' },
  '0033-verified-emails': { up: verifiedEmails, compatibleFrom: '0013-request-details' },
  [storedUsageName]: { up: storedUsage, compatibleFrom: '0013-request-details' },
}

/** Runs all migrations that have not run. */
export async function migrate(db: Database, others: readonly SqlTables[] = []): Promise<void> {
  while (await migrateNext(db, others));
}

/**
 * Runs the next migration, also of other features, whose migrations are named after the feature. Returns false if all have
 * run. The caller opens the transaction, and holds the lock that prevents other processes from migrating.
 */
export async function migrateNext(db: Database, others: readonly SqlTables[]): Promise<boolean> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
  const [next] = missingSteps(await doneMigrations(db), others)
  if (!next) return false
  const [name, migration] = next
  const { up, compatibleFrom } = typeof migration === 'function' ? { up: migration } : migration
  await up(db)
  const from = compatibleFrom === undefined ? {} : { compatible_from: compatibleFrom }
  await db
    .insertInto('migrations')
    .values({ name, at: Date.now(), ...from })
    .execute()
  return true
}

/** Throws unless all migrations have run, and changes nothing. */
export async function requireMigrated(db: Database, others: readonly SqlTables[]): Promise<void> {
  const done = await doneMigrations(db).catch((error: unknown) => {
    if (error instanceof Error && /no such table|does not exist/.test(error.message)) return []
    throw error
  })
  const missing = missingSteps(done, others)
  if (missing.length === 0) return
  const names = done.length === 0 ? 'all' : missing.map(([name]) => name).join(', ')
  throw new Error(`The database lacks migrations (${names}): run "fairlead migrate", and start again.`)
}

/**
 * The migrations that have not run, without other features' migrations. Throws if a newer version wrote the database,
 * and this one cannot use it.
 */
export function pendingMigrations(done: readonly DoneMigration[]): readonly string[] {
  return missingSteps(done, []).map(([name]) => name)
}

type DoneMigration = Pick<Schema['migrations'], 'name' | 'compatible_from'>
type Step = readonly [name: string, migration: Migration<Database> | CompatibleMigration]

function missingSteps(done: readonly DoneMigration[], others: readonly SqlTables[]): readonly Step[] {
  const steps: Step[] = Object.entries(migrations)
  for (const { name, migrations: all } of others) {
    const sorted = Object.entries(all).toSorted(([one], [other]) => (one < other ? -1 : 1))
    steps.push(...sorted.map(([step, up]) => [`${name}/${step}`, up] as const))
  }
  const known = new Set(steps.map(([name]) => name))
  // The migrations of a feature that was removed stay.
  const isPresent = (name: string) => !name.includes('/') || others.some((each) => name.startsWith(`${each.name}/`))
  const unusable = done.filter(
    ({ name, compatible_from: from }) => !known.has(name) && isPresent(name) && !(from && known.has(from)),
  )
  if (unusable.length > 0) {
    const names = unusable.map(({ name }) => name).join(', ')
    throw new Error(
      `The database was written by a newer version of Fairlead (it has ${names}): start that version, or one after it.`,
    )
  }
  const doneNames = new Set(done.map(({ name }) => name))
  return steps.filter(([name]) => !doneNames.has(name))
}

function doneMigrations(db: Database): Promise<readonly DoneMigration[]> {
  return db.selectFrom('migrations').selectAll().orderBy('name').execute()
}
