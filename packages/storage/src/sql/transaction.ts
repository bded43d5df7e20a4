import type { Transaction } from '../stores.ts'
import type { SqlDialect } from './dialect.ts'
import type { Database } from './schema.ts'
import type { SqlTables } from './tables.ts'
import { sqlAudit } from '../audit/audit.ts'
import { sqlClaims, sqlSettings, sqlWriteChecks } from '../runtime/records.ts'
import { sqlCounters } from '../runtime/counters.ts'
import { sqlImages } from '../gateway/images.ts'
import { sqlIdentities, sqlPasskeys } from '../accounts/identities.ts'
import { sqlKeys } from '../accounts/keys.ts'
import { sqlSessions } from '../accounts/sessions.ts'
import { sqlShipments } from '../shipments/shipments.ts'
import { sqlThrottles } from '../accounts/throttles.ts'
import { sqlSpend } from '../runtime/spend.ts'
import { sqlUsage } from '../runtime/usage.ts'
import { sqlUsers } from '../accounts/users.ts'
import { sqlInvitations } from '../accounts/project-invitations.ts'
import { sqlMembers } from '../accounts/project-members.ts'
import { sqlOwners } from '../accounts/owners.ts'
import { sqlProjects } from '../accounts/projects.ts'
import { sqlDeliveries } from '../webhooks/deliveries.ts'
import { sqlEvents } from '../webhooks/events.ts'
import { sqlWebhooks } from '../webhooks/webhooks.ts'

/** All stores over one database handle, also for other features. The caller opens the transaction. */
export function sqlTransaction(db: Database, dialect: SqlDialect, others: readonly SqlTables[]): Transaction {
  return {
    owners: sqlOwners(db),
    users: sqlUsers(db),
    projects: sqlProjects(db),
    members: sqlMembers(db),
    invitations: sqlInvitations(db),
    keys: sqlKeys(db),
    counters: sqlCounters(db, dialect),
    spend: sqlSpend(db),
    usage: sqlUsage(db, dialect),
    images: sqlImages(db),
    claims: sqlClaims(db, dialect),
    shipments: sqlShipments(db),
    webhooks: sqlWebhooks(db),
    events: sqlEvents(db, dialect),
    deliveries: sqlDeliveries(db),
    audit: sqlAudit(db),
    lock: (name) => dialect.lock(db, name),
    sessions: sqlSessions(db),
    identities: sqlIdentities(db),
    passkeys: sqlPasskeys(db),
    settings: sqlSettings(db),
    writeChecks: sqlWriteChecks(db),
    throttles: sqlThrottles(db),
    ...Object.assign({}, ...others.map((tables) => tables.open(db))),
  }
}
