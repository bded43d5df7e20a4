import type { Capacity } from '../provider.ts'
import type { ConcurrencyOptions } from './route-options.ts'
import type { Target } from './route.ts'

/** The user id of a call's account; undefined for the embedding program. */
export type AccountId = string | undefined

type Settle = (acquired: boolean) => void

export interface BulkheadOptions {
  /** Maximum calls in flight. */
  readonly slots: number
  /** Maximum waiting calls. */
  readonly queueSize: number
  /**
   * The share, up to 1, of the slots not held by other accounts that one account can hold. Slow calls of one account then
   * leave slots for the next (dynamic thresholds: Choudhury and Hahne, 1998). An account without a slot can take the last
   * one, and the embedding program can hold all.
   */
  readonly accountShare: number
}

interface Account {
  readonly id: AccountId
  slots: number
  /** By ticket, oldest first. */
  readonly waiting: Map<number, Settle>
  newestTicket: number
}

export type Bulkhead = ReturnType<typeof createBulkhead>

/**
 * Limits the calls that a target has in flight and in its queue, so that one slow target cannot use up the process, and
 * shares both between accounts. A free slot goes to the waiting account with the fewest slots. Accounts with equal numbers
 * take turns, and the calls of one account keep their order.
 */
export function createBulkhead({ slots, queueSize, accountShare }: BulkheadOptions) {
  /** Accounts with a slot or a waiting call. */
  const accounts = new Map<AccountId, Account>()
  /** Accounts with waiting calls. */
  const bySlots = createRanking<Account>()
  const byWaiting = createRanking<Account>()
  let inFlight = 0
  let queued = 0

  function find(id: AccountId): Account {
    return accounts.get(id) ?? { id, slots: 0, waiting: new Map(), newestTicket: 0 }
  }

  function keepIfUsed(account: Account): void {
    if (account.waiting.size > 0 || account.slots > 0) accounts.set(account.id, account)
    else accounts.delete(account.id)
  }

  function update(account: Account, change: () => void): void {
    const { waiting } = account
    const before = waiting.size > 0 ? { slots: account.slots, waiting: waiting.size } : undefined
    change()
    const after = waiting.size > 0 ? { slots: account.slots, waiting: waiting.size } : undefined
    bySlots.move(account, before?.slots, after?.slots)
    byWaiting.move(account, before?.waiting, after?.waiting)
    keepIfUsed(account)
  }

  function canAcquire(id: AccountId, held = accounts.get(id)?.slots ?? 0): boolean {
    const free = slots - inFlight
    if (held === 0 || id === undefined) return free > 0
    return held + 1 <= accountShare * (held + free)
  }

  function changeSlots(account: Account, change: 1 | -1): void {
    inFlight += change
    if (account.waiting.size > 0) return update(account, () => void (account.slots += change))
    account.slots += change
    keepIfUsed(account)
  }

  function stopWaiting(account: Account, ticket: number, settle: Settle): void {
    // A call that has stopped waiting already may have passed its ticket on to another.
    if (account.waiting.get(ticket) !== settle) return
    queued--
    update(account, () => void account.waiting.delete(ticket))
  }

  /** The account with the most waiting calls, if it would still have at least as many as this one after losing one to it. */
  function displaceable({ waiting }: Account): Account | undefined {
    const longest = byWaiting.first(Math.max)
    return longest && longest.waiting.size > waiting.size + 1 ? longest : undefined
  }

  function displaceNewest(account: Account): void {
    let settle: Settle | undefined
    while (!(settle = account.waiting.get(account.newestTicket))) account.newestTicket--
    stopWaiting(account, account.newestTicket, settle)
    settle(false)
  }

  /** If the account with the fewest slots cannot have another, only the embedding program can. */
  function nextAccount(): Account | undefined {
    const program = accounts.get(undefined)
    const candidates = [bySlots.first(Math.min), program?.waiting.size ? program : undefined]
    return candidates.find((account) => account && canAcquire(account.id, account.slots))
  }

  return {
    get inFlight(): number {
      return inFlight
    },
    get queued(): number {
      return queued
    },
    slots,
    queueSize,
    /** Whether a call of the account would get neither a slot nor a place in the queue. */
    isFull(id: AccountId): boolean {
      return !canAcquire(id) && queued >= queueSize && !displaceable(find(id))
    },
    /** Takes a slot; false if the account cannot have one now. */
    tryAcquire(id: AccountId): boolean {
      const acquired = canAcquire(id)
      if (acquired) changeSlots(find(id), 1)
      return acquired
    },
    /**
     * Waits for a slot. `settle` is called with true when the call has one, and with false if the queue is full or an
     * account with fewer waiting calls takes the call's place. Returns a function that stops waiting.
     */
    enqueue(id: AccountId, settle: Settle): () => void {
      const account = find(id)
      const displaced = queued < queueSize ? undefined : displaceable(account)
      if (displaced) displaceNewest(displaced)
      if (queued >= queueSize) {
        settle(false)
        return () => {}
      }
      queued++
      const ticket = ++account.newestTicket
      update(account, () => void account.waiting.set(ticket, settle))
      return () => stopWaiting(account, ticket, settle)
    },
    release(id: AccountId): void {
      changeSlots(find(id), -1)
      while (queued > 0) {
        const next = nextAccount()
        const [oldest] = next?.waiting ?? []
        if (!next || !oldest) return
        changeSlots(next, 1)
        stopWaiting(next, ...oldest)
        oldest[1](true)
      }
    },
  }
}

/** With few slots, the slow calls of one account would hold all of them for long. */
const shareOfCapacity = 0.8

/** Creates a bulkhead for each target, or for all targets that share a capacity of their provider. */
export function createBulkheads({
  perTarget = 10_000,
  queue = 1_000,
  accountShare,
}: ConcurrencyOptions): (target: Target) => Bulkhead {
  const shared = new WeakMap<Capacity, Bulkhead>()
  return ({ provider, id }) => {
    const capacity = provider.capacities?.find(({ ids }) => ids === undefined || ids.includes(id))
    const existing = capacity && shared.get(capacity)
    if (existing) return existing
    const bulkhead = createBulkhead({
      slots: Math.min(perTarget, capacity?.concurrency ?? perTarget),
      queueSize: Math.min(queue, capacity?.queue ?? queue),
      accountShare: accountShare ?? (capacity ? shareOfCapacity : 1),
    })
    if (capacity) shared.set(capacity, bulkhead)
    return bulkhead
  }
}

/** Items grouped by a count; items with equal counts are in the order in which they reached it. */
function createRanking<Item>() {
  const byCount = new Map<number, Set<Item>>()
  return {
    /** Moves an item from one count to another, in constant time. Undefined means outside the ranking. */
    move(item: Item, from: number | undefined, to: number | undefined): void {
      if (from === to) return
      if (from !== undefined) {
        const items = byCount.get(from)
        items?.delete(item)
        if (items?.size === 0) byCount.delete(from)
      }
      if (to === undefined) return
      const items = byCount.get(to)
      if (items) items.add(item)
      else byCount.set(to, new Set([item]))
    },
    /**
     * The first item with the count that `choose` picks, such as `Math.min`; undefined if there are no items. Takes time in
     * the number of different counts, at most about √(2n) for a sum of n.
     */
    first(choose: (...counts: number[]) => number): Item | undefined {
      if (byCount.size === 0) return undefined
      const [item] = byCount.get(choose(...byCount.keys())) ?? []
      return item
    },
  }
}
