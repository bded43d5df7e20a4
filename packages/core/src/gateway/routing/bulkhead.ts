import type { Capacity } from '../provider.ts'
import type { Target } from './route.ts'

/** Whose call it is: a user's id; undefined for the embedding program. */
export type AccountId = string | undefined

/**
 * Bounds how many calls a target works on at once and how many wait, and shares both between accounts. (The pattern is
 * called "bulkhead": one target that hangs can't use up the whole process.)
 */
export interface Bulkhead {
  readonly inFlight: number
  readonly queued: number
  /** Whether a call of the account would get neither a place nor room in the queue. */
  isFull(account: AccountId): boolean
  /** Takes a place; false where the account may not take one now. */
  tryEnter(account: AccountId): boolean
  /**
   * Waits for a place: `settle` is called with true once the call has one, and with false when the queue has no room, or
   * the call loses its room to an account with fewer waiting calls. Returns how to stop waiting.
   */
  queue(account: AccountId, settle: Settle): () => void
  /** Gives a place back. */
  leave(account: AccountId): void
}

type Settle = (entered: boolean) => void

export interface BulkheadOptions {
  /** How many calls the target works on at once. */
  readonly places: number
  /** How many more may wait. */
  readonly room: number
  /**
   * Up to 1: the share that one account may hold of the places that no other account holds. Slow calls of one account
   * then leave places for the next, and those of two accounts for a third (dynamic thresholds: Choudhury and Hahne,
   * 1998). An account without a place may take the last one, and the embedding program may hold all.
   */
  readonly accountShare: number
}

interface Account {
  readonly id: AccountId
  places: number
  /** By ticket, oldest first. */
  readonly waiting: Map<number, Settle>
  newestTicket: number
}

/** A free place goes to the waiting account that holds the fewest; equals take turns, and an account's calls keep their order. */
export function createBulkhead({ places, room, accountShare }: BulkheadOptions): Bulkhead {
  /** Those that hold a place or wait for one. */
  const accounts = new Map<AccountId, Account>()
  /** Those that wait for one. */
  const byPlaces = createRanking<Account>()
  const byWaiting = createRanking<Account>()
  let inFlight = 0
  let queued = 0

  function find(id: AccountId): Account {
    return accounts.get(id) ?? { id, places: 0, waiting: new Map(), newestTicket: 0 }
  }

  /** Changes an account and its ranks; remembers it for as long as it holds or waits for a place. */
  function update(account: Account, change: () => void): void {
    const { waiting } = account
    const before = waiting.size > 0 ? { places: account.places, waiting: waiting.size } : undefined
    change()
    const after = waiting.size > 0 ? { places: account.places, waiting: waiting.size } : undefined
    byPlaces.move(account, before?.places, after?.places)
    byWaiting.move(account, before?.waiting, after?.waiting)
    if (after || account.places > 0) accounts.set(account.id, account)
    else accounts.delete(account.id)
  }

  function mayEnter({ id, places: held }: Account): boolean {
    const free = places - inFlight
    if (held === 0 || id === undefined) return free > 0
    return held + 1 <= accountShare * (held + free)
  }

  function hold(account: Account, change: 1 | -1): void {
    inFlight += change
    update(account, () => void (account.places += change))
  }

  function stopWaiting(account: Account, ticket: number, settle: Settle): void {
    // One that has stopped already may have left its ticket to another.
    if (account.waiting.get(ticket) !== settle) return
    queued--
    update(account, () => void account.waiting.delete(ticket))
  }

  /** The account with the most waiting calls, if it would still have as many as this one after giving up one to it. */
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

  /** Where the account with the fewest places may not take one, none with more may, except for the embedding program. */
  function nextToEnter(): Account | undefined {
    const program = accounts.get(undefined)
    const candidates = [byPlaces.first(Math.min), program?.waiting.size ? program : undefined]
    return candidates.find((account) => account && mayEnter(account))
  }

  return {
    get inFlight() {
      return inFlight
    },
    get queued() {
      return queued
    },
    isFull(id) {
      const account = find(id)
      return !mayEnter(account) && queued >= room && !displaceable(account)
    },
    tryEnter(id) {
      const account = find(id)
      const entered = mayEnter(account)
      if (entered) hold(account, 1)
      return entered
    },
    queue(id, settle) {
      const account = find(id)
      const displaced = queued < room ? undefined : displaceable(account)
      if (displaced) displaceNewest(displaced)
      if (queued >= room) {
        settle(false)
        return () => {}
      }
      queued++
      const ticket = ++account.newestTicket
      update(account, () => void account.waiting.set(ticket, settle))
      return () => stopWaiting(account, ticket, settle)
    },
    leave(id) {
      hold(find(id), -1)
      for (let next = nextToEnter(); next; next = nextToEnter()) {
        const [oldest] = next.waiting
        if (!oldest) return
        hold(next, 1)
        stopWaiting(next, ...oldest)
        oldest[1](true)
      }
    },
  }
}

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

/** Items by a count that each has, and those of one count in the order in which they came to it. */
export interface Ranking<Item> {
  /** Takes the item from one count to another; undefined is outside of the ranking. */
  move(item: Item, from: number | undefined, to: number | undefined): void
  /** The first item of the count that `choose` picks, such as `Math.min`; undefined where there are no items. */
  first(choose: (...counts: number[]) => number): Item | undefined
}

/**
 * Moves take constant time. To choose takes as long as there are different counts: at most some √(2n) where all counts
 * add up to n.
 */
function createRanking<Item>(): Ranking<Item> {
  const byCount = new Map<number, Set<Item>>()
  return {
    move(item, from, to) {
      if (from === to) return
      if (from !== undefined) {
        const left = byCount.get(from)
        left?.delete(item)
        if (left?.size === 0) byCount.delete(from)
      }
      if (to === undefined) return
      const joined = byCount.get(to)
      if (joined) joined.add(item)
      else byCount.set(to, new Set([item]))
    },
    first(choose) {
      if (byCount.size === 0) return undefined
      const [item] = byCount.get(choose(...byCount.keys())) ?? []
      return item
    },
  }
}
