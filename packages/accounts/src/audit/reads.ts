import type { Clock } from '@fairlead/core'
import { memoryRateLimiter } from '@fairlead/core/stores'

/** Of each credential, an hour, in each process. A reader could otherwise fill the log. */
const maxLists = 60
const windowMs = 3_600_000

/** Which reads of the log are in it. */
export interface AuditReads {
  /** @param isFirstPage whether the list begins. A further page counts unless the credential has read in the last hour */
  admits(credentialId: string, isFirstPage: boolean): boolean
}

export function createAuditReads(clock: Clock): AuditReads {
  const reads = memoryRateLimiter({ clock })
  return {
    admits(id, isFirstPage) {
      const isFirst = reads.take(`any ${id}`, { limit: 1, windowMs }).granted
      return isFirstPage ? reads.take(id, { limit: maxLists, windowMs }).granted : isFirst
    },
  }
}
