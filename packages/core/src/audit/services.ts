import { operationsFor } from '../runtime/feature.ts'
import type { Services } from '../runtime/run/operation-run.ts'
import type { AuditStores } from './audit-store.ts'
import type { AuditReads } from './reads.ts'

export interface AuditServices extends Services {
  readonly stores: AuditStores
  readonly auditReads: AuditReads
}

export const { list, defineFeature } = operationsFor<AuditServices>()
