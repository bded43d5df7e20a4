import { operationsFor, type Services } from '@fairlead/core'
import type { AuditStores } from './audit-store.ts'
import type { AuditReads } from './reads.ts'

export interface AuditServices extends Services {
  readonly stores: AuditStores
  readonly auditReads: AuditReads
}

export const { list, defineFeature } = operationsFor<AuditServices>()
