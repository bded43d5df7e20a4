import type { Clock } from '../../runtime/clock.ts'
import type { AccountId } from './bulkhead.ts'

export type CircuitState = 'closed' | 'open' | 'half-open'

/** What a circuit has to know of a call. */
export interface CircuitCall {
  readonly account: AccountId
  /** Whether its route has no other target. */
  readonly isOnlyTarget: boolean
}

/**
 * A circuit breaker: stops calls to a target that keeps failing, and now and then lets one through to find out whether
 * the target works again. What fails for one account alone is stopped for that account alone.
 */
export interface Circuit {
  readonly state: CircuitState
  /** Whether it stops such calls, until a trial is due. */
  isOpenFor(call: CircuitCall): boolean
  /**
   * How long the target takes no such call, in milliseconds; 0 where it takes one. An estimate while a trial is in flight.
   *
   * @param call default: one whose account's failures count, on a route with other targets
   */
  refusedForMs(call?: CircuitCall): number
  /** Lets a call through; undefined where it may not. Its outcome is reported under the number that is returned. */
  enter(call: CircuitCall): number | undefined
  succeeded(pass: number): void
  failed(pass: number, account: AccountId): void
  /** The call ended with nothing learned about the target. */
  left(pass: number): void
  /** Stops all calls for a while, because the target asked for it. */
  rest(ms: number): void
}

export interface CircuitRules {
  readonly clock: Clock
  /** So many failures in a row open the circuit, of which one account supplies at most half. */
  readonly failures: number
  /** For how long at first, in milliseconds. */
  readonly openMs: number
  /** @param account the one whose failures alone opened it, and for which alone it is open */
  readonly onOpen: (account: AccountId) => void
  readonly onClose: () => void
}

/** After failed trials, the circuit stays open for up to this many times as long. */
const maxTimesAsLong = 6
/** The only target of a route is tried this many times as often: its callers have nowhere else to go. */
const onlyTargetTrials = 10
/** While a trial is in flight, callers are told to come back after this. */
const whileTriedMs = 1_000
/** The longest time for which an upstream can stop its calls. */
const maxPauseMs = 3_600_000

const everyone = Symbol('everyone')

export function createCircuit({ clock, failures, openMs, onOpen, onClose }: CircuitRules): Circuit {
  /** Failures since the last success. Few accounts: each adds to what opens the circuit for everyone. */
  const failuresBy = new Map<AccountId, number>()
  let openedAt: number | undefined
  let openFor: AccountId | typeof everyone
  let openForMs = openMs
  let pausedUntil = 0
  /** When the trial began that is in flight. */
  let triedAt: number | undefined
  /** Goes up whenever the circuit opens or closes: calls that began before say nothing about the time after. */
  let pass = 0

  const stops = (call: CircuitCall | undefined) =>
    openedAt !== undefined && (call === undefined || openFor === everyone || openFor === call.account)
  const trialAfterMs = (call: CircuitCall | undefined) =>
    call?.isOnlyTarget ? openForMs / onlyTargetTrials : openForMs
  /** Negative or 0 when so much time has passed. A clock that was set back can't keep a circuit open. */
  const leftMs = (ms: number, since: number) => ms - Math.abs(clock.now() - since)
  const leftOpenMs = (call: CircuitCall | undefined) =>
    openedAt === undefined ? 0 : leftMs(trialAfterMs(call), openedAt)
  /** A trial that takes longer than the circuit stayed open lets another begin. */
  const leftOnTrialMs = (call: CircuitCall | undefined) =>
    triedAt === undefined ? 0 : Math.min(whileTriedMs, leftMs(trialAfterMs(call), triedAt))
  const pausedForMs = () => (pausedUntil === 0 ? 0 : Math.min(Math.max(0, pausedUntil - clock.now()), maxPauseMs))

  /** Failures in a row, of each account at most half of those that open the circuit. */
  function sharedFailures(): number {
    return [...failuresBy.values()].reduce((sum, count) => sum + Math.min(count, failures / 2), 0)
  }

  function open(whom: AccountId | typeof everyone): void {
    if (whom === everyone) failuresBy.clear()
    openedAt = clock.now()
    openFor = whom
    triedAt = undefined
    pass++
    onOpen(whom === everyone ? undefined : whom)
  }

  function failedTrial(): void {
    openForMs = Math.min(openForMs * 2, openMs * maxTimesAsLong)
    openedAt = clock.now()
    triedAt = undefined
  }

  const circuit: Circuit = {
    get state() {
      if (openedAt === undefined) return 'closed'
      return leftOpenMs(undefined) > 0 ? 'open' : 'half-open'
    },
    isOpenFor: (call) => stops(call) && leftOpenMs(call) > 0,
    refusedForMs: (call) =>
      stops(call) ? Math.max(leftOpenMs(call), leftOnTrialMs(call), pausedForMs()) : pausedForMs(),
    enter(call) {
      if (circuit.refusedForMs(call) > 0) return undefined
      if (stops(call)) triedAt = clock.now()
      return pass
    },
    succeeded(began) {
      if (began !== pass) return
      failuresBy.clear()
      if (openedAt === undefined) return
      openedAt = undefined
      openForMs = openMs
      triedAt = undefined
      pass++
      onClose()
    },
    failed(began, account) {
      if (began !== pass) return
      if (openedAt !== undefined && (openFor === everyone || openFor === account)) return failedTrial()
      const own = (failuresBy.get(account) ?? 0) + 1
      failuresBy.set(account, own)
      if (sharedFailures() >= failures) open(everyone)
      else if (openedAt === undefined && own >= failures) open(account)
    },
    left(began) {
      if (began === pass) triedAt = undefined
    },
    rest(ms) {
      pausedUntil = Math.max(pausedUntil, clock.now() + Math.min(ms, maxPauseMs))
    },
  }
  return circuit
}

/** The circuit of a test double, whose callers ask it to fail. */
export const alwaysClosed: Circuit = {
  state: 'closed',
  isOpenFor: () => false,
  refusedForMs: () => 0,
  enter: () => 0,
  succeeded() {},
  failed() {},
  left() {},
  rest() {},
}
