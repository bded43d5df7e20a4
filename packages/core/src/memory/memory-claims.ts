import type { Clock } from '../ports/clock.ts'
import type { ClaimStore } from '../ports/claim-store.ts'
import { isFuture } from '../values/clock-skew.ts'
import type { Claim } from '../values/claim.ts'
import type { UndoLog } from './undo-log.ts'

export function memoryClaims(undo: UndoLog, clock: Clock): ClaimStore {
  const claims = new Map<string, Claim>()

  function change(id: string, owner: string, facts: Partial<Claim>): boolean {
    const claim = claims.get(id)
    if (claim?.owner !== owner || claim.outcome !== null) return false
    undo.set(claims, id, { ...claim, ...facts })
    return true
  }

  function find(id: string, keptForMs: number): Claim | undefined {
    const claim = claims.get(id)
    if (!claim) return undefined
    const now = clock.now()
    const holds =
      claim.outcome === null ? claim.leaseUntil > now && !isFuture(claim.at, now) : claim.at + keptForMs > now
    return holds ? claim : undefined
  }

  return {
    find: async (id, keptForMs) => find(id, keptForMs),
    async take(claim, { leaseMs, keptForMs }) {
      const standing = find(claim.id, keptForMs)
      if (standing) return standing
      const at = clock.now()
      undo.set(claims, claim.id, { ...claim, at, leaseUntil: at + leaseMs, outcome: null })
      return undefined
    },
    renew: async (id, owner, leaseMs) => change(id, owner, { at: clock.now(), leaseUntil: clock.now() + leaseMs }),
    keep: async (id, owner, outcome) => change(id, owner, { outcome, at: clock.now() }),
    async release(id, owner) {
      const claim = claims.get(id)
      if (claim?.owner === owner && claim.outcome === null) undo.delete(claims, id)
    },
    async purge(before, limit) {
      const old = [...claims.values()].filter(({ at }) => at < before).sort((a, b) => a.at - b.at)
      const purged = old.slice(0, limit)
      for (const { id } of purged) undo.delete(claims, id)
      return purged.length
    },
  }
}
