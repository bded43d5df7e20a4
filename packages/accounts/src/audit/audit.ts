import type { Feature } from '@fairlead/core'
import { operationsByName } from '@fairlead/core/feature'
import type { AuditMethods } from '../methods.ts'
import { toPeriod } from '@fairlead/core/stores'
import { memoryAudit } from './audit-store.ts'
import { announceHead, auditEvents } from './announce-head.ts'
import { createAuditSink } from './chain.ts'
import { listAudit } from './list-audit.ts'
import { createAuditReads } from './reads.ts'
import { type AuditServices, defineFeature } from './services.ts'

export interface AuditOptions {
  /** How long entries are kept, in days. Whole months (UTC) are removed, once all of their entries are older. Default: 400. */
  readonly days?: number | undefined
}

const tree = { audit: { list: listAudit } } as const

/** The operations of the audit log by name, for `core.run`. */
export const auditOperations = operationsByName(tree)

/** Adds an audit log: changes of accounts, webhooks and the configuration, and sign-ins, in a signed chain of hashes. */
export function audit({ days = 400 }: AuditOptions = {}): Feature<typeof tree, AuditMethods, AuditServices> {
  if (!Number.isInteger(days) || days < 1) throw new TypeError('audit: days must be an integer of at least 1')
  return defineFeature({
    name: 'audit',
    operations: tree,
    scopes: { audit: 'Read the audit log, as an admin of the service or of a project.' },
    memoryTables: ({ undo }) => ({ audit: memoryAudit(undo) }),
    sections: [{ name: 'Audit log', description: 'Changes with their authors, and sign-ins.', segments: ['audit'] }],
    events: Object.values(auditEvents),
    setUp(core) {
      const auditSink = createAuditSink(core)
      return {
        auditSink,
        services: { auditReads: createAuditReads(core.clock) },
        async removeExpired({ daysAgo, inBatches }) {
          await inBatches((tx, limit) => auditSink.purge(tx, toPeriod(daysAgo(days)), limit))
          await announceHead(core, auditSink)
        },
      }
    },
  })
}
