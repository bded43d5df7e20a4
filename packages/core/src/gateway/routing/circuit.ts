import type { Clock } from '../../runtime/clock.ts'
import type { AccountId } from './bulkhead.ts'

export interface CircuitCall {
  readonly account: AccountId
  /** Whether the call has no other target. */
  readonly isOnlyTarget: boolean
}

export interface CircuitOptions {
  readonly clock: Clock
  /** Failures in a row that open the circuit. One account can supply at most half of them. With Infinity, it never blocks. */
  readonly failures: number
  /** How long it first stays open, in milliseconds. */
  readonly openMs: number
  /** @param account the only account that is blocked; undefined if all are */
  readonly onOpen: (account: AccountId) => void
  readonly onClose: () => void
}

/** Failed trials extend the time that the circuit stays open up to this factor. */
const maxOpenFactor = 6
/** An only target is tried this many times as often, because its callers have no alternative. */
const onlyTargetTrials = 10
/** The delay that callers are given while a trial is in flight. */
const trialRetryAfterMs = 1_000
/** The longest time for which an upstream can block calls. One account's call may have provoked it, and all others wait. */
const maxPauseMs = 60_000

const allAccounts = Symbol('all accounts')

export type Circuit = ReturnType<typeof createCircuit>

/**
 * A circuit breaker: blocks calls to a target after several failures in a row, and lets one call through from time to time
 * to test whether the target has recovered. If only one account's calls fail, it blocks only that account.
 */
export function createCircuit({ clock, failures, openMs, onOpen, onClose }: CircuitOptions) {
  /** Failures since the last success. It stays small, because each account adds to the failures that clear it. */
  const failuresBy = new Map<AccountId, number>()
  let openedAt: number | undefined
  let openFor: AccountId | typeof allAccounts
  let openForMs = openMs
  let pausedUntil = 0
  /** When the trial in flight began. */
  let trialStartedAt: number | undefined
  /** Changes when the circuit opens or closes. Outcomes of calls from before that are ignored. */
  let epoch = 0

  const blocks = (call: CircuitCall | undefined) =>
    openedAt !== undefined && (call === undefined || openFor === allAccounts || openFor === call.account)
  const trialAfterMs = (call: CircuitCall | undefined) =>
    call?.isOnlyTarget ? openForMs / onlyTargetTrials : openForMs
  /** The absolute difference, so that a clock that was set back cannot keep the circuit open. */
  const remainingMs = (ms: number, since: number) => ms - Math.abs(clock.now() - since)
  const remainingOpenMs = (call: CircuitCall | undefined) =>
    openedAt === undefined ? 0 : remainingMs(trialAfterMs(call), openedAt)
  /** After the time that the circuit stays open, a slow trial no longer prevents another. */
  const remainingTrialMs = (call: CircuitCall | undefined) =>
    trialStartedAt === undefined ? 0 : Math.min(trialRetryAfterMs, remainingMs(trialAfterMs(call), trialStartedAt))

  /** Failures of all accounts, of each at most half of those that open the circuit. */
  function countedFailures(): number {
    return [...failuresBy.values()].reduce((sum, count) => sum + Math.min(count, failures / 2), 0)
  }

  function open(account: AccountId | typeof allAccounts): void {
    if (account === allAccounts) failuresBy.clear()
    openedAt = clock.now()
    openFor = account
    trialStartedAt = undefined
    epoch++
    onOpen(account === allAccounts ? undefined : account)
  }

  function extend(): void {
    openForMs = Math.min(openForMs * 2, openMs * maxOpenFactor)
    openedAt = clock.now()
    trialStartedAt = undefined
  }

  /**
   * How long it blocks the call, in milliseconds; 0 if it does not. An estimate while a trial is in flight.
   *
   * @param call default: a call of an affected account, on a route with other targets
   */
  function blockedForMs(call?: CircuitCall): number {
    const pausedMs = pausedUntil === 0 ? 0 : Math.min(Math.max(0, pausedUntil - clock.now()), maxPauseMs)
    return blocks(call) ? Math.max(remainingOpenMs(call), remainingTrialMs(call), pausedMs) : pausedMs
  }

  return {
    get state(): 'closed' | 'open' | 'half-open' {
      if (openedAt === undefined) return 'closed'
      return remainingOpenMs(undefined) > 0 ? 'open' : 'half-open'
    },
    /** Whether it blocks the call until a trial is due. */
    isOpenFor: (call: CircuitCall) => blocks(call) && remainingOpenMs(call) > 0,
    blockedForMs,
    /** Starts a call; undefined if it is blocked. The call's outcome is reported with the returned number. */
    start(call: CircuitCall): number | undefined {
      if (blockedForMs(call) > 0) return undefined
      if (blocks(call)) trialStartedAt = clock.now()
      return epoch
    },
    succeed(startedIn: number): void {
      if (startedIn !== epoch) return
      failuresBy.clear()
      if (openedAt === undefined) return
      openedAt = undefined
      openForMs = openMs
      trialStartedAt = undefined
      epoch++
      onClose()
    },
    fail(startedIn: number, account: AccountId): void {
      if (startedIn !== epoch || failures === Infinity) return
      if (openedAt !== undefined && (openFor === allAccounts || openFor === account)) return extend()
      const own = (failuresBy.get(account) ?? 0) + 1
      failuresBy.set(account, own)
      if (countedFailures() >= failures) open(allAccounts)
      else if (openedAt === undefined && own >= failures) open(account)
    },
    /** Ends a call whose outcome says nothing about the target. */
    ignore(startedIn: number): void {
      if (startedIn === epoch) trialStartedAt = undefined
    },
    /** Blocks all calls for a time that the target requested. */
    pause(ms: number): void {
      if (failures < Infinity) pausedUntil = Math.max(pausedUntil, clock.now() + Math.min(ms, maxPauseMs))
    },
  }
}
