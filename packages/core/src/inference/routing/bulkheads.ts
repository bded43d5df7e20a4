import type { Capacity } from '../../ports/provider.ts'
import type { Target } from '../route.ts'
import { type Bulkhead, createBulkhead } from './bulkhead.ts'

/** What the operator allows each target. */
export interface Concurrency {
  readonly perTarget: number
  readonly queue: number
  readonly accountShare: number
}

/** Makes a bulkhead for each target, and one for all targets that share a capacity of their provider. */
export function createBulkheads({ perTarget, queue, accountShare }: Concurrency): (target: Target) => Bulkhead {
  const shared = new Map<Capacity, Bulkhead>()
  return ({ provider, id }) => {
    const capacity = provider.capacities?.find(({ ids }) => ids === undefined || ids.includes(id))
    const known = capacity && shared.get(capacity)
    if (known) return known
    const bulkhead = createBulkhead({
      places: Math.min(perTarget, capacity?.concurrency ?? perTarget),
      room: Math.min(queue, capacity?.queue ?? queue),
      accountShare,
    })
    if (capacity) shared.set(capacity, bulkhead)
    return bulkhead
  }
}
